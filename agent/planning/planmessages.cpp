// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmessages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tasuki::planning {

namespace {

/// A message is a letter and numbers of eight bytes, the least byte first.
constexpr char triedLetter = 'T';
constexpr char foundLetter = 'F';
constexpr char stopLetter = 'S';
constexpr std::size_t numberBytes = 8;

void append(std::string& out, std::uint64_t number)
{
    std::array<char, numberBytes> bytes{};
    for (std::size_t byte = 0; byte < numberBytes; ++byte)
        bytes[byte] = static_cast<char>(number >> (8 * byte) & 0xffU);
    out.append(bytes.data(), bytes.size());
}

void append(std::string& out, const plan::Ranked& ranked)
{
    append(out, std::bit_cast<std::uint64_t>(ranked.timeUs));
    for (const plan::Node node : ranked.allocation)
        append(out, node.value());
}

/// Takes numbers from the front of a message; once there are too few, all fail.
class Numbers {
public:
    explicit Numbers(std::string_view bytes) : m_rest(bytes) {}

    std::uint64_t next()
    {
        if (m_rest.size() < numberBytes) {
            m_failed = true;
            return 0;
        }
        std::uint64_t number = 0;
        for (std::size_t byte = 0; byte < numberBytes; ++byte)
            number |= std::uint64_t{static_cast<unsigned char>(m_rest[byte])} << (8 * byte);
        m_rest.remove_prefix(numberBytes);
        return number;
    }

    [[nodiscard]] bool failed() const { return m_failed; }
    /// Everything was taken, and all was there.
    [[nodiscard]] bool done() const { return !m_failed && m_rest.empty(); }

private:
    std::string_view m_rest;
    bool m_failed = false;
};

std::optional<plan::Ranked> takeRanked(Numbers& numbers, std::uint32_t tasks, std::uint32_t nodes)
{
    plan::Ranked ranked;
    ranked.timeUs = std::bit_cast<double>(numbers.next());
    for (std::uint32_t task = 0; task < tasks; ++task) {
        const std::uint64_t node = numbers.next();
        if (numbers.failed() || node >= nodes)
            return std::nullopt;
        ranked.allocation.emplace_back(static_cast<std::uint32_t>(node));
    }
    if (numbers.failed() || !std::isfinite(ranked.timeUs))
        return std::nullopt;
    return ranked;
}

std::optional<Found> takeFound(Numbers& numbers, std::size_t keep, std::uint32_t tasks,
                               std::uint32_t nodes)
{
    const std::uint64_t whole = numbers.next();
    const std::uint64_t tried = numbers.next();
    const double sumUs = std::bit_cast<double>(numbers.next());
    const std::uint64_t count = numbers.next();
    if (numbers.failed() || whole > 1 || count != std::min<std::uint64_t>(keep, tried)
        || !std::isfinite(sumUs))
        return std::nullopt;
    if (tried == 0)
        return Found{.ranking = plan::Ranking(keep), .whole = whole == 1};
    std::vector<plan::Ranked> best;
    for (std::uint64_t index = 0; index < count; ++index) {
        auto ranked = takeRanked(numbers, tasks, nodes);
        if (!ranked)
            return std::nullopt;
        best.push_back(std::move(*ranked));
    }
    auto worst = takeRanked(numbers, tasks, nodes);
    if (!worst)
        return std::nullopt;
    return Found{.ranking = plan::Ranking(keep, std::move(best), std::move(*worst), sumUs, tried),
                 .whole = whole == 1};
}

} // namespace

Message encode(const PlanMessage& message)
{
    Message bytes;
    if (const auto* tried = std::get_if<Tried>(&message)) {
        bytes += triedLetter;
        append(bytes, tried->allocations);
    } else if (const auto* found = std::get_if<Found>(&message)) {
        const std::vector<plan::Ranked> best = found->ranking.best();
        bytes += foundLetter;
        append(bytes, found->whole ? 1 : 0);
        append(bytes, found->ranking.tried());
        append(bytes, std::bit_cast<std::uint64_t>(found->ranking.sumUs()));
        append(bytes, best.size());
        for (const plan::Ranked& ranked : best)
            append(bytes, ranked);
        if (!best.empty())
            append(bytes, found->ranking.worst());
    } else {
        bytes += stopLetter;
    }
    return bytes;
}

Result<PlanMessage> decode(const Message& bytes, std::size_t keep, std::uint32_t tasks,
                           std::uint32_t nodes)
{
    const char letter = bytes.empty() ? '\0' : bytes.front();
    Numbers numbers(bytes.empty() ? std::string_view() : std::string_view(bytes).substr(1));
    if (letter == triedLetter) {
        const Tried tried{.allocations = numbers.next()};
        if (numbers.done())
            return PlanMessage(tried);
    } else if (letter == foundLetter) {
        auto found = takeFound(numbers, keep, tasks, nodes);
        if (found && numbers.done())
            return PlanMessage(std::move(*found));
    } else if (letter == stopLetter && numbers.done()) {
        return PlanMessage(Stop{});
    }
    return Error{.kind = ErrorKind::Protocol, .message = "a message of a search that is none"};
}

} // namespace tasuki::planning
