// SPDX-License-Identifier: GPL-3.0-or-later
// A message is its body, after which stand the view and the kind: so a chunk lies at the beginning
// and becomes a block of a map without being copied.
#include "messages.h"

#include "merge/chunkformat.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>

namespace tasuki::merge {

namespace {

/// Kind, number and coordinator of the view.
constexpr std::size_t trailerBytes = 1 + 2 * format::fixedBytes;
/// Round and whether it is the last, after a chunk.
constexpr std::size_t partBytes = 1 + format::fixedBytes;

void putText(const std::string& text, std::string& out)
{
    format::appendFixed(out, text.size());
    out += text;
}

void putPlace(const Place& place, std::string& out)
{
    format::appendFixed(out, static_cast<std::uint64_t>(place.pid));
    putText(place.hostKey, out);
}

void put(const Hello& hello, std::string& out)
{
    format::appendFixed(out, hello.entries);
    format::appendFixed(out, hello.bytes);
    out += hello.exactScores ? '\1' : '\0';
    putPlace(hello.place, out);
    putText(hello.listing, out);
}

void put(const View& view, std::string& out)
{
    out += view.schedule.pattern == Pattern::Dissemination ? '\1' : '\0';
    out += view.schedule.sparing ? '\1' : '\0';
    out += view.trimsInRounds ? '\1' : '\0';
    for (std::size_t position = 0; position < view.members.size(); ++position) {
        format::appendFixed(out, static_cast<std::uint64_t>(view.members[position].value()));
        putPlace(view.places[position], out);
    }
}

void put(const Ready& ready, std::string& out) { format::appendFixed(out, ready.round); }

void put(Part& part, std::string& out)
{
    out = std::move(part.chunk);
    out += part.last ? '\1' : '\0';
    format::appendFixed(out, part.round);
}

void put(const Done& done, std::string& out)
{
    format::appendFixed(out, done.digest.high);
    format::appendFixed(out, done.digest.low);
    format::appendFixed(out, done.sentBytes);
    format::appendFixed(out, done.peakBytes);
    putText(done.listing, out);
}

void put(const Finished& finished, std::string& out) { out += finished.safe ? '\1' : '\0'; }

void put(const Lost& lost, std::string& out)
{
    format::appendFixed(out, static_cast<std::uint64_t>(lost.rank.value()));
    out += lost.gone ? '\1' : '\0';
}

void put(const Agreed& /*agreed*/, std::string& /*out*/) {}
void put(const Beat& /*beat*/, std::string& /*out*/) {}

std::optional<bool> takeFlag(std::string_view& bytes)
{
    if (bytes.empty() || static_cast<unsigned char>(bytes.front()) > 1)
        return std::nullopt;
    const bool flag = bytes.front() != 0;
    bytes.remove_prefix(1);
    return flag;
}

std::optional<std::uint64_t> takeNumber(std::string_view& bytes)
{
    const auto number = format::Scanner(bytes).fixed();
    if (number)
        bytes.remove_prefix(format::fixedBytes);
    return number;
}

std::optional<std::string> takeText(std::string_view& bytes)
{
    const auto length = takeNumber(bytes);
    if (!length || *length > bytes.size())
        return std::nullopt;
    std::string text(bytes.substr(0, *length));
    bytes.remove_prefix(*length);
    return text;
}

std::optional<Place> takePlace(std::string_view& bytes)
{
    const auto pid = takeNumber(bytes);
    auto hostKey = takeText(bytes);
    if (!pid || !hostKey)
        return std::nullopt;
    return Place{.pid = static_cast<std::int64_t>(*pid), .hostKey = std::move(*hostKey)};
}

std::optional<ProcessorId> takeRank(std::string_view& bytes)
{
    const auto number = takeNumber(bytes);
    if (!number || *number > std::uint64_t{std::numeric_limits<ProcessorId::Representation>::max()})
        return std::nullopt;
    return ProcessorId(static_cast<ProcessorId::Representation>(*number));
}

std::optional<std::uint32_t> takeRound(std::string_view& bytes)
{
    const auto number = takeNumber(bytes);
    if (!number || *number > std::numeric_limits<std::uint32_t>::max())
        return std::nullopt;
    return static_cast<std::uint32_t>(*number);
}

std::optional<Body> takeHello(std::string_view bytes)
{
    const auto entries = takeNumber(bytes);
    const auto size = takeNumber(bytes);
    const auto exact = takeFlag(bytes);
    auto place = takePlace(bytes);
    auto listing = takeText(bytes);
    if (!entries || !size || !exact || !place || !listing || !bytes.empty())
        return std::nullopt;
    return Hello{.entries = *entries,
                 .bytes = *size,
                 .exactScores = *exact,
                 .place = std::move(*place),
                 .listing = std::move(*listing)};
}

std::optional<Body> takeView(std::string_view bytes)
{
    const auto dissemination = takeFlag(bytes);
    const auto sparing = takeFlag(bytes);
    const auto trims = takeFlag(bytes);
    if (!dissemination || !sparing || !trims || bytes.empty())
        return std::nullopt;
    View view{.members = {},
              .places = {},
              .schedule = {.pattern = *dissemination ? Pattern::Dissemination : Pattern::Butterfly,
                           .sparing = *sparing},
              .trimsInRounds = *trims};
    while (!bytes.empty()) {
        const auto member = takeRank(bytes);
        auto place = takePlace(bytes);
        if (!member || !place || (!view.members.empty() && *member <= view.members.back()))
            return std::nullopt;
        view.members.push_back(*member);
        view.places.push_back(std::move(*place));
    }
    return view;
}

std::optional<Body> takeDone(std::string_view bytes)
{
    const auto high = takeNumber(bytes);
    const auto low = takeNumber(bytes);
    const auto sent = takeNumber(bytes);
    const auto peak = takeNumber(bytes);
    auto listing = takeText(bytes);
    if (!high || !low || !sent || !peak || !listing || !bytes.empty())
        return std::nullopt;
    return Done{.digest = {.high = *high, .low = *low},
                .sentBytes = *sent,
                .peakBytes = *peak,
                .listing = std::move(*listing)};
}

/// Takes the body's bytes: those of the chunk stay where they are.
std::optional<Body> takePart(Message&& message)
{
    std::string_view bytes = message;
    if (bytes.size() < partBytes)
        return std::nullopt;
    bytes.remove_prefix(bytes.size() - partBytes);
    const auto last = takeFlag(bytes);
    const auto round = last ? takeRound(bytes) : std::nullopt;
    if (!round)
        return std::nullopt;
    message.resize(message.size() - partBytes);
    return Part{.round = *round, .last = *last, .chunk = std::move(message)};
}

std::optional<Body> takeLost(std::string_view bytes)
{
    const auto rank = takeRank(bytes);
    const auto gone = takeFlag(bytes);
    if (!rank || !gone || !bytes.empty())
        return std::nullopt;
    return Lost{.rank = *rank, .gone = *gone};
}

std::optional<Body> takeBody(std::size_t kind, Message&& message)
{
    std::string_view bytes = message;
    switch (kind) {
    case 0: return takeHello(bytes);
    case 1: return takeView(bytes);
    case 2: {
        const auto round = takeRound(bytes);
        return round && bytes.empty() ? std::optional<Body>(Ready{*round}) : std::nullopt;
    }
    case 3: return takePart(std::move(message));
    case 4: return takeDone(bytes);
    case 5: return bytes.empty() ? std::optional<Body>(Agreed{}) : std::nullopt;
    case 6: {
        const auto safe = takeFlag(bytes);
        return safe && bytes.empty() ? std::optional<Body>(Finished{*safe}) : std::nullopt;
    }
    case 7: return takeLost(bytes);
    case 8: return bytes.empty() ? std::optional<Body>(Beat{}) : std::nullopt;
    default: return std::nullopt;
    }
}

} // namespace

Message encode(Envelope envelope)
{
    Message message;
    std::visit([&message](auto& body) { put(body, message); }, envelope.body);
    format::appendFixed(message, envelope.view.number);
    format::appendFixed(message, static_cast<std::uint64_t>(envelope.view.coordinator.value()));
    message += static_cast<char>(envelope.body.index());
    return message;
}

Result<Envelope> decode(Message message)
{
    static_assert(std::is_same_v<std::variant_alternative_t<8, Body>, Beat>);
    const Error malformed{.kind = ErrorKind::Protocol, .message = "malformed message of a merge"};
    if (message.size() < trailerBytes)
        return malformed;
    std::string_view trailer = std::string_view(message).substr(message.size() - trailerBytes);
    const auto number = takeNumber(trailer);
    const auto coordinator = takeRank(trailer);
    const auto kind = static_cast<unsigned char>(trailer.back());
    if (!number || !coordinator)
        return malformed;
    message.resize(message.size() - trailerBytes);
    auto body = takeBody(kind, std::move(message));
    if (!body)
        return malformed;
    return Envelope{.view = {.number = *number, .coordinator = *coordinator},
                    .body = std::move(*body)};
}

} // namespace tasuki::merge
