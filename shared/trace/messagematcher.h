// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::trace {

/// Brings the two ends of messages together: first come, first served among those of one sender,
/// receiver, communicator and tag, which is MPI's own rule.
class MessageMatcher {
public:
    enum class End : std::uint8_t { Sent, Received };
    struct Key {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::uint32_t communicator = 0;
        std::int32_t tag = 0;
        bool operator==(const Key&) const = default;
    };
    /// One end that waits for the other.
    struct Waiter {
        std::uint32_t message = 0; ///< the user's number
        std::uint64_t line = 0;    ///< where the end was logged
    };

    MessageMatcher();

    /// @return the other end, if it waits; else this one waits from now on
    std::optional<Waiter> meet(const Key& key, End end, const Waiter& self);

    /// @return all that still wait, in the order of their lines
    [[nodiscard]] std::vector<Waiter> waiting() const;

private:
    static constexpr std::uint32_t noNode = 0xFFFFFFFFU;

    struct Node {
        Waiter waiter;
        std::uint32_t next = noNode;
    };
    /// Those of one key that wait: all are of the same end. Kept when empty, until the table grows.
    struct Queue {
        Key key;
        std::uint32_t first = noNode;
        std::uint32_t last = noNode;
        End end = End::Sent;
        bool used = false;
    };

    Queue& queueOf(const Key& key);
    void rebuild();
    std::uint32_t newNode(const Waiter& waiter);

    std::vector<Queue> m_queues; ///< open addressing; its size is a power of two
    std::size_t m_used = 0;
    std::vector<Node> m_nodes;
    std::uint32_t m_free = noNode; ///< nodes that nobody uses, chained
};

} // namespace tasuki::trace
