// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linkclient.h"
#include "testrun.h"

#include "link/linkserver.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tasuki::testing {

/// What the server logged. Any thread.
class LogLines {
public:
    void add(Severity severity, const std::string& line);
    /// Lines of that severity that contain a text.
    [[nodiscard]] std::vector<std::string> matching(Severity severity,
                                                    const std::string& text = {}) const;

private:
    mutable std::mutex m_mutex;
    std::vector<std::pair<Severity, std::string>> m_lines;
};

/// A run with a server on it, whose sockets and access file are in the run's directory.
class LinkFixture {
public:
    explicit LinkFixture(std::uint32_t seed = 1) : run(seed) {}

    [[nodiscard]] link::LinkOptions options() const;
    /// Starts the server with `limits` and `callbacks`; log lines go to `log`.
    void start();
    /// Commits random events and tells the server.
    void publish(std::size_t count) { server->published(run.commit(count)); }
    [[nodiscard]] link::AccessFile access() const;
    /// A client that is in and has subscribed. Null when it could not.
    std::unique_ptr<LinkClient> window(const link::Subscribe& wish = {},
                                       LinkClient::Over over = LinkClient::Over::Unix);

    TestRun run;
    link::LinkLimits limits;
    link::LinkCallbacks callbacks;
    std::shared_ptr<LogLines> log = std::make_shared<LogLines>();
    std::unique_ptr<link::LinkServer> server;
};

} // namespace tasuki::testing
