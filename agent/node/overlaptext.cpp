// SPDX-License-Identifier: GPL-3.0-or-later
#include "overlaptext.h"

#include "domain/systemstate.h"
#include "hierarchy/tree.h"

#include <array>
#include <cstdio>

namespace tasuki {

namespace {

std::string seatOf(SeatId id, const SystemLaidOut& layout)
{
    const SeatInfo& seat = layout.seats.at(id.value());
    const bool several = layout.subclusters.size() > 1;
    return seatName(
        {.subcluster = several ? layout.subclusters.at(seat.subcluster.value()).name : "",
         .kind = seat.kind,
         .index = seat.index});
}

std::string processorOf(ProcessorId id, const SystemLaidOut& layout)
{
    return processorPhrase({.id = id, .host = layout.processors.at(id.value()).host}).text();
}

/// @return who has the place now; none: nobody else
std::optional<ProcessorId> successorOf(const hierarchy::Overlap& overlap,
                                       const hierarchy::MembershipView& view)
{
    std::optional<ProcessorId> now;
    if (overlap.led) {
        now = hierarchy::systemMaster(view);
    } else if (const auto subcluster = view.subclusterOf(overlap.holding->seat)) {
        const hierarchy::MemberRow* const holder =
            view.cluster(*subcluster).holder(overlap.holding->seat);
        if (holder != nullptr)
            now = holder->processor;
    }
    return now == overlap.processor ? std::nullopt : now;
}

std::string secondsText(std::chrono::nanoseconds time)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.1f s", std::chrono::duration<double>(time).count());
    return text.data();
}

std::string refusedText(std::uint32_t refused)
{
    if (refused == 0)
        return "no result of it had to be refused";
    return std::to_string(refused) + (refused == 1 ? " result of it was" : " results of it were")
        + " refused";
}

} // namespace

std::string overlapText(const hierarchy::Overlap& overlap,
                        std::optional<std::chrono::nanoseconds> lostFor,
                        const SystemLaidOut& layout, const hierarchy::MembershipView& view)
{
    std::string place = overlap.led ? "system master" : "";
    if (overlap.holding)
        place += (overlap.led ? " and " : "") + seatOf(overlap.holding->seat, layout);
    std::string text = processorOf(overlap.processor, layout)
        + (overlap.certain ? " went on as " : " may have gone on as ") + place
        + ", though it had been given up";
    if (lostFor)
        text += ' ' + secondsText(*lostFor) + " before";
    if (const auto successor = successorOf(overlap, view))
        text += " and " + processorOf(*successor, layout) + " has that place since";
    return text
        + ": the clock of its host must have stopped or be slow, or that of another host be fast; "
        + refusedText(overlap.refused);
}

} // namespace tasuki
