// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mergeoptions.h"

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/runstate.h"
#include "files/temporarydirectory.h"
#include "link/linkserver.h"
#include "merge/digest.h"
#include "reactor/reactor.h"
#include "recorder/recorder.h"
#include "runfile/runfilewriter.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tasuki {

/// What a merge tells windows: its ranks, rounds, losses and end as events of a run, which stand in
/// a run file like any other. Without --run the file lives as long as the merge. Reactor's thread.
class MergeRecord {
public:
    struct Setup {
        std::optional<RunFileWriter> file; ///< of --run; none: a file of its own
        std::string host;
        std::uint32_t processors = 0;
        std::function<void(const std::string&)> say; ///< a line for the terminal
        std::function<void()> stop;                  ///< a window wants the merge to end
    };

    /// @param reactor, clock  outlive the record
    /// @return an Error when there can be no file: the merge can go on without a record
    static Result<std::unique_ptr<MergeRecord>> open(const MergeOptions& options, Setup setup,
                                                     Reactor& reactor, const Clock& clock);
    /// As finish(), unless that was called.
    ~MergeRecord();
    MergeRecord(const MergeRecord&) = delete;
    MergeRecord& operator=(const MergeRecord&) = delete;

    void joined(ProcessorId processor, const std::string& host, std::int64_t pid);
    void lost(ProcessorId processor, LossCause cause);
    void note(Severity severity, std::string text);
    void close(RunEnd end, std::chrono::microseconds elapsed);
    /// Whether everything is in the file, and handed to the windows.
    [[nodiscard]] bool settled() const { return m_recorder->uncommitted() == 0; }
    /// Commits what is left, lets the windows go and removes a file of its own. Nothing can be called
    /// afterwards.
    /// @return whether the record of --run, if there is one, is whole under its name; why not has been said
    bool finish();
    /// Tells windows how the merge is, when it is time to.
    void tick(const std::string& phase);

private:
    MergeRecord(Setup setup, RunFileWriter file, std::optional<TemporaryDirectory> ownDirectory,
                Reactor& reactor, const Clock& clock);
    void serve(const MergeOptions& options, const std::filesystem::path& path);
    void append(EventPayload payload);

    Setup m_setup;
    std::optional<TemporaryDirectory> m_ownDirectory; ///< none: the file is kept
    RunFileWriter m_file;
    Reactor& m_reactor;
    const Clock& m_clock;
    RunState m_state;
    SteadyTime m_lastStatus{};
    std::string m_stall; ///< why the record cannot be written
    std::unique_ptr<Recorder> m_recorder;
    std::unique_ptr<link::LinkServer> m_server;
};

} // namespace tasuki
