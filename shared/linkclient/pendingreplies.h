// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/command.h"
#include "domain/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <variant>

namespace tasuki {

/// Called once: an answer, or why there will be none.
using CommandDone = std::function<void(const Result<CommandAnswer>&)>;
using OutputDone = std::function<void(const Result<OutputAnswer>&)>;
using TaskDone = std::function<void(const Result<Task>&)>;

/// What was asked of the other side and is not answered yet, by number. Each is answered once.
class PendingReplies {
public:
    using Done = std::variant<CommandDone, OutputDone, TaskDone>;

    /// @return the number of the request, from 1
    std::uint64_t add(Done done)
    {
        m_open.emplace(++m_last, std::move(done));
        return m_last;
    }

    /// An answer of another kind than was asked for counts as none and fails the request.
    template <class Answer>
    void answer(std::uint64_t number, const Result<Answer>& answer)
    {
        auto found = m_open.extract(number);
        if (found.empty())
            return;
        using Wanted = std::function<void(const Result<Answer>&)>;
        if (auto* done = std::get_if<Wanted>(&found.mapped()))
            (*done)(answer);
        else
            tell(found.mapped(),
                 Error{.kind = ErrorKind::Protocol, .message = "the answer is of another kind"});
    }

    void fail(std::uint64_t number, const Error& error)
    {
        auto found = m_open.extract(number);
        if (!found.empty())
            tell(found.mapped(), error);
    }

    void failAll(const Error& error)
    {
        while (!m_open.empty())
            fail(m_open.begin()->first, error);
    }

private:
    static void tell(const Done& done, const Error& error)
    {
        std::visit([&](const auto& function) { function(error); }, done);
    }

    std::map<std::uint64_t, Done> m_open;
    std::uint64_t m_last = 0;
};

} // namespace tasuki
