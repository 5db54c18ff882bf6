// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mergeoptions.h"

#include "exchange/exchange.h"
#include "report/statusline.h"

#include <string>

namespace tasuki {

/// Tells a merge on the terminal: what was asked for on standard output, progress and notices on
/// standard error. Reactor's thread only.
class MergeReporter {
public:
    /// @param options, clock  outlive the reporter
    /// @param columns  of the terminal, 0: none
    MergeReporter(const MergeOptions& options, const Clock& clock, int columns);

    /// A line on standard error that does not run into the progress.
    void say(const std::string& line);
    /// A line of --verbose, on standard output.
    void explain(const std::string& line);
    void tick(const merge::Exchange& exchange, std::uint64_t writtenBytes);
    /// The listings of all ranks. @param title  "before" or "after"
    void list(const std::string& title, const std::vector<std::string>& listings);
    /// The last words: what was merged, how fast, with how much memory.
    void finish(const merge::Exchange& exchange, std::size_t files, std::uint64_t writtenBytes);

    /// @return "6 entries, 49 bytes in 0.012 s; fingerprint ..."
    static std::string resultText(const merge::MergeMap& result, std::uint64_t writtenBytes,
                                  std::chrono::nanoseconds time);
    /// @return "step:0 (0,1): sent 3 kB, received 2 kB in 0.012 s; 45 entries"
    static std::string roundText(const merge::View& view, const merge::RoundReport& report);

private:
    const MergeOptions& m_options;
    const Clock& m_clock;
    SteadyTime m_begun;
    StatusLine m_line;
};

} // namespace tasuki
