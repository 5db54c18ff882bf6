// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tasuki {

/// How the launch ends, which decides how long leave() waits for the others.
enum class LeaveMode : std::uint8_t {
    Together,  ///< every processor of the launch leaves too, sooner or later
    AfterLoss, ///< some may be dead or stopped: they must not hold up the living
};

/// This process's membership in an MPI launch, from MPI_Init_thread to MPI_Finalize. At most one
/// in the life of a process, made and destroyed on its main thread.
///
/// Starting it makes the process ignore SIGPIPE: over TCP a dead peer would otherwise end the
/// sender. Ignored signals pass to child processes; whoever starts programs must reset it.
///
/// The collective calls, agreeAllReady(), broadcast() and gatherToAll(), are for the start alone, before the
/// first message: once work has begun a peer may die, and a collective would wait for it for ever.
/// They nap while they wait instead of keeping a core busy.
class MpiRuntime {
public:
    /// @param argc, argv  of main(); MPI takes out what is meant for it
    /// @return an Error of kind System when MPI cannot start. Most failures of MPI_Init_thread do
    ///         not return: the library prints its reason and ends the process.
    static Result<std::unique_ptr<MpiRuntime>> start(int& argc, char**& argv);

    MpiRuntime(const MpiRuntime&) = delete;
    MpiRuntime& operator=(const MpiRuntime&) = delete;
    /// Leaves as after a loss, exit code EXIT_FAILURE, unless leave() was called.
    ~MpiRuntime();

    [[nodiscard]] ProcessorId self() const { return m_self; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    /// The host's name as MPI knows it.
    [[nodiscard]] const std::string& host() const { return m_host; }
    /// One line that names the MPI library and its version.
    [[nodiscard]] const std::string& library() const { return m_library; }
    /// Whether the launcher was told to go on after the death of a processor. Known for certain
    /// with Open MPI 4; under other launchers only when this option was given.
    [[nodiscard]] bool recoveryEnabled() const { return m_recoveryEnabled; }

    /// Collective, at the start only.
    /// @return whether `ready` is true on every processor; the same answer everywhere
    [[nodiscard]] bool agreeAllReady(bool ready);
    /// Collective, at the start only. Up to 2^31 - 1 bytes.
    /// @return the root's value, on every processor
    [[nodiscard]] std::string broadcast(std::string value, ProcessorId root);
    /// Collective, at the start only. Up to 2^31 - 1 bytes in all.
    /// @return everybody's value, by processor
    [[nodiscard]] std::vector<std::string> gatherToAll(const std::string& value);

    /// Ends the membership. Transports must have been destroyed before. MPI_Finalize waits for the
    /// other processors; it is given `patience`, then the process ends at once with `exitCode`,
    /// without running destructors: write what must be kept before.
    /// Returns when MPI is finalised in time.
    void leave(LeaveMode mode, int exitCode, std::chrono::milliseconds patience);
    /// With the usual patience: a minute together, 3 seconds after a loss.
    void leave(LeaveMode mode, int exitCode);

    /// For the transport in this folder.
    struct Channel;
    [[nodiscard]] const Channel& channel() const { return *m_channel; }

private:
    MpiRuntime();
    Result<void> join();

    std::unique_ptr<Channel> m_channel;
    ProcessorId m_self;
    std::size_t m_size = 0;
    std::string m_host;
    std::string m_library;
    bool m_recoveryEnabled = false;
    bool m_left = false;
};

} // namespace tasuki
