// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tasuki::world {

/// What a message is known by.
struct Envelope {
    std::uint64_t context = 0;
    std::int32_t source = 0; ///< rank in the communicator
    std::int32_t tag = 0;
    bool operator==(const Envelope&) const = default;
};

/// Which messages are wanted.
struct Pattern {
    static constexpr std::int32_t any = -1;
    std::uint64_t context = 0;
    std::int32_t source = any;
    std::int32_t tag = any;

    [[nodiscard]] bool fits(const Envelope& envelope) const
    {
        return context == envelope.context && (source == any || source == envelope.source)
            && (tag == any || tag == envelope.tag);
    }
};

/// Joins messages and receives as MPI wants it: of one sender and communicator in the order of sending, of receives in the order
/// in which they were posted.
/// @tparam Receive  a pointer to who waits for a message
/// @tparam Arrived  what is kept of one that nobody waits for yet
template <class Receive, class Arrived>
class Matching {
public:
    /// A message has come.
    /// @return who takes it; none: nobody yet, see keep()
    std::optional<Receive> arrive(const Envelope& envelope)
    {
        auto& posted = m_contexts[envelope.context].posted;
        for (auto one = posted.begin(); one != posted.end(); ++one) {
            if (!one->first.fits(envelope))
                continue;
            const Receive receive = one->second;
            posted.erase(one);
            return receive;
        }
        return std::nullopt;
    }
    /// Nobody has taken it: it waits.
    Arrived& keep(const Envelope& envelope, Arrived arrived)
    {
        auto& unexpected = m_contexts[envelope.context].unexpected;
        unexpected.emplace_back(envelope, std::move(arrived));
        return unexpected.back().second;
    }

    /// Somebody waits for a message.
    /// @return one that has come already; then nothing was posted
    std::optional<std::pair<Envelope, Arrived>> post(const Pattern& pattern, Receive receive)
    {
        if (auto found = take(pattern))
            return found;
        m_contexts[pattern.context].posted.emplace_back(pattern, receive);
        return std::nullopt;
    }
    /// The first that fits among those that wait; it goes.
    std::optional<std::pair<Envelope, Arrived>> take(const Pattern& pattern)
    {
        auto& unexpected = m_contexts[pattern.context].unexpected;
        for (auto one = unexpected.begin(); one != unexpected.end(); ++one) {
            if (!pattern.fits(one->first))
                continue;
            std::pair<Envelope, Arrived> found = std::move(*one);
            unexpected.erase(one);
            return found;
        }
        return std::nullopt;
    }
    /// The same, and it stays.
    const std::pair<Envelope, Arrived>* look(const Pattern& pattern)
    {
        for (const auto& one : m_contexts[pattern.context].unexpected) {
            if (pattern.fits(one.first))
                return &one;
        }
        return nullptr;
    }
    /// @return whether it had been posted and not been matched; it is forgotten
    bool cancel(std::uint64_t context, Receive receive)
    {
        auto& posted = m_contexts[context].posted;
        for (auto one = posted.begin(); one != posted.end(); ++one) {
            if (one->second == receive) {
                posted.erase(one);
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool hasPosted() const
    {
        return std::ranges::any_of(m_contexts,
                                   [](const auto& one) { return !one.second.posted.empty(); });
    }
    /// Calls for each that waits; those of one context in their order.
    template <class Visit>
    void forEachKept(Visit visit) const
    {
        for (const auto& [context, queues] : m_contexts) {
            for (const auto& [envelope, arrived] : queues.unexpected)
                visit(arrived);
        }
    }
    void clear() { m_contexts.clear(); }

private:
    struct Queues {
        std::list<std::pair<Pattern, Receive>> posted;
        std::list<std::pair<Envelope, Arrived>> unexpected;
    };
    std::unordered_map<std::uint64_t, Queues> m_contexts;
};

} // namespace tasuki::world
