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

template <class A, Is<Configure> M>
void fields(A& a, M& m)
{
    a(m.run, m.epoch, m.rank, m.directory, m.captureHead, m.captureTail, m.spoolDirectory,
      m.killGrace, m.lease, m.resetAffinity);
}

template <class A, Is<DefineSettings> M>
void fields(A& a, M& m)
{
    a(m.id, m.timeout, m.directory, m.environment);
}

template <class A, Is<ForgetSettings> M>
void fields(A& a, M& m)
{
    a(m.id);
}

template <class A, Is<Start> M>
void fields(A& a, M& m)
{
    a(m.key, m.slot, m.settings, m.command, m.cores, m.kind);
}

template <class A, Is<Stop> M>
void fields(A& a, M& m)
{
    a(m.key, m.reason);
}

template <class A, Is<Signal> M>
void fields(A& a, M& m)
{
    a(m.key, m.number);
}

template <class A, Is<StopAll> M>
void fields(A& a, M& m)
{
    a(m.token, m.reason);
}

template <class A, Is<KeepAlive> M>
void fields(A&, M&)
{}

template <class A, Is<Peek> M>
void fields(A& a, M& m)
{
    a(m.token, m.query);
}

template <class A, Is<Peeked> M>
void fields(A& a, M& m)
{
    a(m.token, m.answer);
}

template <class A, Is<Fetch> M>
void fields(A& a, M& m)
{
    a(m.token, m.query, m.wait);
}

template <class A, Is<Release> M>
void fields(A& a, M& m)
{
    a(m.key);
}

template <class A, Is<Fetched> M>
void fields(A& a, M& m)
{
    a(m.token, m.output);
}

template <class A, Is<Started> M>
void fields(A& a, M& m)
{
    a(m.key, m.startedAt, m.connected);
}

template <class A, Is<Finished> M>
void fields(A& a, M& m)
{
    a(m.key, m.result);
}

template <class A, Is<AllStopped> M>
void fields(A& a, M& m)
{
    a(m.token);
}

template <class A, Is<Alive> M>
void fields(A&, M&)
{}

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
