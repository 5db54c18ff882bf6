// SPDX-License-Identifier: GPL-3.0-or-later
#include "requesttable.h"

#include <bit>

namespace tasuki::tracer {

namespace {

constexpr std::size_t firstSlots = 64;

unsigned shiftFor(std::size_t slots)
{
    return 64U - static_cast<unsigned>(std::countr_zero(slots));
}

} // namespace

RequestTable::RequestTable() : m_slots(firstSlots), m_shift(shiftFor(firstSlots)) {}

/// Fibonacci hashing: handles are addresses or small numbers.
std::size_t RequestTable::home(Handle handle) const
{
    return static_cast<std::size_t>((handle * 0x9E37'79B9'7F4A'7C15ULL) >> m_shift);
}

/// @return the handle's slot, or the empty one where it would go
std::size_t RequestTable::slotOf(Handle handle) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = home(handle);
    while (m_slots[slot].oldest != none && m_slots[slot].handle != handle)
        slot = (slot + 1) & mask;
    return slot;
}

void RequestTable::add(Handle handle, const Request& request)
{
    if (m_used * 2 >= m_slots.size())
        grow();
    std::uint32_t node = m_free;
    if (node == none) {
        node = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.push_back({.request = request});
    } else {
        m_free = m_nodes[node].next;
        m_nodes[node] = {.request = request};
    }
    Slot& slot = m_slots[slotOf(handle)];
    if (slot.oldest == none) {
        slot = {.handle = handle, .oldest = node, .youngest = node};
        ++m_used;
    } else {
        m_nodes[slot.youngest].next = node;
        slot.youngest = node;
    }
    ++m_size;
}

Request* RequestTable::find(Handle handle)
{
    const Slot& slot = m_slots[slotOf(handle)];
    return slot.oldest == none ? nullptr : &m_nodes[slot.oldest].request;
}

std::optional<Request> RequestTable::take(Handle handle)
{
    const std::size_t at = slotOf(handle);
    Slot& slot = m_slots[at];
    if (slot.oldest == none)
        return std::nullopt;
    const std::uint32_t node = slot.oldest;
    const Request request = m_nodes[node].request;
    slot.oldest = m_nodes[node].next;
    m_nodes[node].next = m_free;
    m_free = node;
    --m_size;
    if (slot.oldest == none)
        erase(at);
    return request;
}

/// Closes the gap that an empty slot leaves in the way to others.
void RequestTable::erase(std::size_t slot)
{
    const std::size_t mask = m_slots.size() - 1;
    --m_used;
    std::size_t gap = slot;
    for (std::size_t next = (gap + 1) & mask; m_slots[next].oldest != none;
         next = (next + 1) & mask) {
        const std::size_t fromHome = (next - home(m_slots[next].handle)) & mask;
        if (fromHome >= ((next - gap) & mask)) {
            m_slots[gap] = m_slots[next];
            gap = next;
        }
    }
    m_slots[gap] = {};
}

void RequestTable::grow()
{
    std::vector<Slot> old(m_slots.size() * 2);
    old.swap(m_slots);
    m_shift = shiftFor(m_slots.size());
    for (const Slot& slot : old) {
        if (slot.oldest != none)
            m_slots[slotOf(slot.handle)] = slot;
    }
}

} // namespace tasuki::tracer
