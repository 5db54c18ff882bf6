// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/guardianprotocol.h"

#include <array>
#include <cassert>
#include <concepts>
#include <cstring>
#include <type_traits>

namespace tasuki::guardian {
namespace {

template <class M, class T>
concept Is = std::same_as<std::remove_const_t<M>, T>;

// The fields of each message stand in one place for both directions.

template <class A, Is<AttemptKey> M>
void fields(A& a, M& m)
{
    a(m.task, m.number);
}

template <class A, Is<RunId> M>
void fields(A& a, M& m)
{
    a(m.hex);
}

template <class A, Is<CapturedStream> M>
void fields(A& a, M& m)
{
    a(m.head, m.tail, m.totalBytes);
}

template <class A, Is<ResourceUsage> M>
void fields(A& a, M& m)
{
    a(m.user, m.system, m.maxResidentKiB);
}

template <class A, Is<AttemptResult> M>
void fields(A& a, M& m)
{
    a(m.outcome, m.code, m.startedAt, m.elapsed, m.usage, m.standardOutput, m.standardError);
}

template <class A, Is<std::pair<std::string, std::string>> M>
void fields(A& a, M& m)
{
    a(m.first, m.second);
}

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
    a(m.key, m.slot, m.settings, m.command);
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

template <class A, Is<OutputQuery> M>
void fields(A& a, M& m)
{
    a(m.key, m.standardOutputFrom, m.standardErrorFrom);
}

template <class A, Is<Peek> M>
void fields(A& a, M& m)
{
    a(m.token, m.query);
}

template <class A, Is<OutputPiece> M>
void fields(A& a, M& m)
{
    a(m.offset, m.bytes, m.totalBytes);
}

template <class A, Is<OutputAnswer> M>
void fields(A& a, M& m)
{
    a(m.key, m.known, m.running, m.standardOutput, m.standardError);
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

template <class A, Is<FetchedOutput> M>
void fields(A& a, M& m)
{
    a(m.answer, m.problem);
}

template <class A, Is<Fetched> M>
void fields(A& a, M& m)
{
    a(m.token, m.output);
}

template <class A, Is<Started> M>
void fields(A& a, M& m)
{
    a(m.key, m.startedAt);
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

template <class T>
concept Number = std::integral<T> && !std::same_as<T, bool>;

// The last value of each enumeration that travels.
constexpr Outcome lastOf(Outcome) { return Outcome::NotStarted; }
constexpr StopReason lastOf(StopReason) { return StopReason::Interrupted; }

class Writer {
public:
    explicit Writer(std::string& out) : m_out(out) {}

    template <class... T>
    void operator()(const T&... values)
    {
        (put(values), ...);
    }

private:
    template <Number T>
    void put(T value)
    {
        std::array<char, sizeof(T)> bytes;
        std::memcpy(bytes.data(), &value, sizeof(T));
        m_out.append(bytes.data(), bytes.size());
    }
    void put(bool value) { put(static_cast<std::uint8_t>(value ? 1 : 0)); }
    template <class T>
    requires std::is_enum_v<T>
    void put(T value) { put(static_cast<std::underlying_type_t<T>>(value)); }
    void put(const std::string& value)
    {
        put(static_cast<std::uint32_t>(value.size()));
        m_out.append(value);
    }
    template <class Tag, class Rep>
    void put(Id<Tag, Rep> value)
    {
        put(value.value());
    }
    template <class Rep, class Period>
    void put(std::chrono::duration<Rep, Period> value)
    {
        put(static_cast<std::int64_t>(value.count()));
    }
    void put(WallTime value) { put(value.time_since_epoch()); }
    template <class T>
    void put(const std::optional<T>& value)
    {
        put(value.has_value());
        if (value)
            put(*value);
    }
    template <class T>
    void put(const std::vector<T>& values)
    {
        put(static_cast<std::uint32_t>(values.size()));
        for (const T& value : values)
            put(value);
    }
    template <class T>
    requires std::is_class_v<T>
    void put(const T& value) { fields(*this, value); }

    std::string& m_out;
};

class Reader {
public:
    explicit Reader(std::string_view in) : m_in(in) {}

    template <class... T>
    void operator()(T&... values)
    {
        (get(values), ...);
    }

    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool atEnd() const { return m_in.empty(); }

private:
    std::string_view take(std::size_t count)
    {
        if (count > m_in.size()) {
            m_good = false;
            m_in = {};
            return {};
        }
        const std::string_view bytes = m_in.substr(0, count);
        m_in.remove_prefix(count);
        return bytes;
    }
    template <Number T>
    void get(T& value)
    {
        const std::string_view bytes = take(sizeof(T));
        value = T{};
        if (bytes.size() == sizeof(T))
            std::memcpy(&value, bytes.data(), sizeof(T));
    }
    void get(bool& value)
    {
        std::uint8_t byte = 0;
        get(byte);
        value = byte == 1;
        if (byte > 1)
            m_good = false;
    }
    template <class T>
    requires std::is_enum_v<T>
    void get(T& value)
    {
        std::underlying_type_t<T> number{};
        get(number);
        if (number > static_cast<std::underlying_type_t<T>>(lastOf(T{})))
            m_good = false;
        else
            value = static_cast<T>(number);
    }
    void get(std::string& value)
    {
        std::uint32_t size = 0;
        get(size);
        value.assign(take(size));
    }
    template <class Tag, class Rep>
    void get(Id<Tag, Rep>& value)
    {
        Rep number{};
        get(number);
        value = Id<Tag, Rep>(number);
    }
    template <class Rep, class Period>
    void get(std::chrono::duration<Rep, Period>& value)
    {
        std::int64_t count = 0;
        get(count);
        value = std::chrono::duration<Rep, Period>(count);
    }
    void get(WallTime& value)
    {
        std::chrono::microseconds since{};
        get(since);
        value = WallTime(since);
    }
    template <class T>
    void get(std::optional<T>& value)
    {
        bool present = false;
        get(present);
        value.reset();
        if (present)
            get(value.emplace());
    }
    template <class T>
    void get(std::vector<T>& values)
    {
        std::uint32_t count = 0;
        get(count);
        values.clear();
        for (std::uint32_t i = 0; i < count && m_good; ++i)
            get(values.emplace_back());
    }
    template <class T>
    requires std::is_class_v<T>
    void get(T& value) { fields(*this, value); }

    std::string_view m_in;
    bool m_good = true;
};

/// Spares the copies that growing a very long frame would make.
std::size_t sizeHint(const Command& command)
{
    const auto* start = std::get_if<Start>(&command);
    return 64 + (start != nullptr ? start->command.size() : 0);
}

std::size_t sizeHint(const Report&) { return 128; }

/// A frame's body is the index of the message in its variant, then the message's fields.
template <class Variant>
std::string encodeFrame(const Variant& message)
{
    std::string frame(headerSize, '\0');
    frame.reserve(headerSize + sizeHint(message));
    Writer write(frame);
    write(static_cast<std::uint8_t>(message.index()));
    std::visit([&](const auto& m) { fields(write, m); }, message);
    assert(frame.size() - headerSize <= maximumBody);
    const auto size = static_cast<std::uint32_t>(frame.size() - headerSize);
    std::memcpy(frame.data(), &size, headerSize);
    return frame;
}

template <class Variant, std::size_t I = 0>
bool readAlternative(std::size_t index, Reader& read, Variant& message)
{
    if constexpr (I < std::variant_size_v<Variant>) {
        if (index != I)
            return readAlternative<Variant, I + 1>(index, read, message);
        fields(read, message.template emplace<I>());
        return true;
    } else {
        return false;
    }
}

template <class Variant>
Result<Variant> decodeBody(std::string_view body, const char* what)
{
    Reader read(body);
    std::uint8_t index = 0;
    read(index);
    Variant message;
    if (!readAlternative(index, read, message))
        return Error{ErrorKind::Protocol,
                     std::string("unknown ") + what + " number " + std::to_string(index)};
    if (!read.good() || !read.atEnd())
        return Error{ErrorKind::Protocol,
                     std::string("malformed ") + what + " number " + std::to_string(index) + " of "
                         + std::to_string(body.size()) + " bytes"};
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

} // namespace tasuki::guardian
