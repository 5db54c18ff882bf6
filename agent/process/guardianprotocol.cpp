// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/guardianprotocol.h"

#include "codec/domainfields.h"

#include <cassert>
#include <cstring>

namespace tasuki {

constexpr StopReason lastOf(codec::Of<StopReason>) { return StopReason::Interrupted; }

constexpr ChildKind lastOf(codec::Of<ChildKind>)
{
    return static_cast<ChildKind>(childStreams.size() - 1);
}

namespace guardian {

using codec::Is;

void fields(auto& a, Is<Configure> auto& m)
{
    a(m.run, m.epoch, m.rank, m.directory, m.captureHead, m.captureTail, m.spoolDirectory,
      m.killGrace, m.lease, m.resetAffinity);
}

void fields(auto& a, Is<DefineSettings> auto& m) { a(m.id, m.timeout, m.directory, m.environment); }
void fields(auto& a, Is<ForgetSettings> auto& m) { a(m.id); }
void fields(auto& a, Is<Start> auto& m)
{
    a(m.key, m.slot, m.settings, m.command, m.cores, m.kind);
}
void fields(auto& a, Is<Stop> auto& m) { a(m.key, m.reason); }
void fields(auto& a, Is<Signal> auto& m) { a(m.key, m.number); }
void fields(auto& a, Is<StopAll> auto& m) { a(m.token, m.reason); }
void fields(auto&, Is<KeepAlive> auto&) {}
void fields(auto& a, Is<Peek> auto& m) { a(m.token, m.query); }
void fields(auto& a, Is<Peeked> auto& m) { a(m.token, m.answer); }
void fields(auto& a, Is<Fetch> auto& m) { a(m.token, m.query, m.wait); }
void fields(auto& a, Is<Release> auto& m) { a(m.key); }
void fields(auto& a, Is<Fetched> auto& m) { a(m.token, m.output); }
void fields(auto& a, Is<Started> auto& m) { a(m.key, m.startedAt, m.connected); }
void fields(auto& a, Is<Finished> auto& m) { a(m.key, m.result); }
void fields(auto& a, Is<AllStopped> auto& m) { a(m.token); }
void fields(auto&, Is<Alive> auto&) {}

namespace {

/// Spares the copies that growing a very long frame would make.
std::size_t sizeHint(const Command& command)
{
    const auto* start = std::get_if<Start>(&command);
    return 64 + (start != nullptr ? start->command.size() : 0);
}

std::size_t sizeHint(const Report&) { return 128; }

/// A frame is the length of its body, then the message.
template <class Variant>
std::string encodeFrame(const Variant& message)
{
    std::string frame(headerSize, '\0');
    frame.reserve(headerSize + sizeHint(message));
    codec::Writer write(frame);
    write(message);
    assert(frame.size() - headerSize <= maximumBody);
    const auto size = static_cast<std::uint32_t>(frame.size() - headerSize);
    std::memcpy(frame.data(), &size, headerSize);
    return frame;
}

template <class Variant>
Result<Variant> decodeBody(std::string_view body, const char* what)
{
    Variant message;
    if (!codec::decode(body, message))
        return Error{ErrorKind::Protocol,
                     std::string("malformed ") + what + " of " + std::to_string(body.size())
                         + " bytes"};
    return message;
}

} // namespace

std::string encode(const Command& command) { return encodeFrame(command); }

std::string encode(const Report& report) { return encodeFrame(report); }

Result<Command> decodeCommand(std::string_view body)
{
    return decodeBody<Command>(body, "command to the guardian");
}

Result<Report> decodeReport(std::string_view body)
{
    return decodeBody<Report>(body, "report of the guardian");
}

} // namespace guardian

} // namespace tasuki
