// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/windowlink.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tasuki {

/// All windows of an agent, without sockets: what they are told, and by what they ask.
struct FakeWindows {
    /// @return what serves these; valid as long as this is
    ServeWindows serve()
    {
        return
            [this](link::LinkOptions with,
                   link::LinkCallbacks callbacks) -> Result<std::unique_ptr<link::WindowServer>> {
                if (refused)
                    return Error{.kind = ErrorKind::System, .message = "no socket"};
                options = std::move(with);
                ask = std::move(callbacks);
                return std::unique_ptr<link::WindowServer>(std::make_unique<Server>(*this));
            };
    }

    bool refused = false; ///< nobody can be served
    link::LinkOptions options;
    link::LinkCallbacks ask;
    std::vector<Event> events;
    std::vector<link::Status> statuses;
    std::vector<std::string> ends; ///< "dropped", or a reason

private:
    struct Server final : link::WindowServer {
        explicit Server(FakeWindows& windows) : all(windows) {}
        void published(std::shared_ptr<const std::vector<Event>> committed) override
        {
            all.events.insert(all.events.end(), committed->begin(), committed->end());
        }
        void status(link::Status status) override { all.statuses.push_back(std::move(status)); }
        void close(std::string reason) override { all.ends.push_back(std::move(reason)); }
        void drop() override { all.ends.emplace_back("dropped"); }

        FakeWindows& all;
    };
};

/// Runs what was posted to a reactor.
inline void turn(Reactor& reactor)
{
    reactor.post([&reactor] { reactor.stop(); });
    reactor.run();
}

} // namespace tasuki
