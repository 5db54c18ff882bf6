// SPDX-License-Identifier: GPL-3.0-or-later
#include "arrivals.h"

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include <sys/socket.h>

namespace tasuki::control {

namespace {

constexpr std::size_t lengthBytes = 4;
/// More than any greeting of this protocol has.
constexpr std::size_t mostGreetingBytes = 256;

/// Whoever has an IPv6 address mostly has all of its network.
std::string originOf(const boost::asio::ip::address& address)
{
    constexpr std::size_t networkBytes = 8;
    if (address.is_v4())
        return address.to_string();
    if (address.to_v6().is_v4_mapped())
        return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6())
            .to_string();
    const auto bytes = address.to_v6().to_bytes();
    return {bytes.begin(), bytes.begin() + networkBytes};
}

/// @return the length that a frame says it has; nothing when that has not arrived
std::optional<std::size_t> frameLength(const std::string& bytes)
{
    if (bytes.size() < lengthBytes)
        return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;)
        length = length << 8U | static_cast<unsigned char>(bytes[i]);
    return length;
}

} // namespace

Arrivals::Arrivals(boost::asio::io_context& context, const Limits& limits, Callbacks callbacks)
    : m_context(context),
      m_limits(limits),
      m_callbacks(std::move(callbacks)),
      m_strangers(limits.inAll, limits.ofAddress),
      m_timer(context)
{}

Arrivals::~Arrivals() = default;

void Arrivals::take(Accepted accepted)
{
    boost::asio::posix::stream_descriptor socket(m_context);
    boost::system::error_code error;
    socket.assign(accepted.fd.get(), error);
    if (error)
        return;
    static_cast<void>(accepted.fd.release());
    const auto key = ++m_latest;
    const auto entry = m_entries
                           .emplace(key,
                                    Entry{.socket = std::move(socket),
                                          .from = accepted.from,
                                          .since = std::chrono::steady_clock::now()})
                           .first;
    if (const auto leaves = m_strangers.add(key, originOf(accepted.from.address())))
        refuse(*leaves, "was silent when others came");
    armTimer();
    // Mostly the greeting is there already.
    read(entry);
}

bool Arrivals::closeOldest()
{
    const auto oldest = m_strangers.oldest();
    if (oldest)
        refuse(*oldest, "was silent when descriptors ran out");
    return oldest.has_value();
}

void Arrivals::wait(Entries::iterator entry)
{
    entry->second.socket.async_wait(
        boost::asio::posix::stream_descriptor::wait_read,
        [this, key = entry->first, alive = std::weak_ptr(m_alive)](const auto& error) {
            if (error || alive.expired())
                return;
            if (const auto found = m_entries.find(key); found != m_entries.end())
                read(found);
        });
}

void Arrivals::read(Entries::iterator entry)
{
    std::array<char, mostGreetingBytes> piece{};
    std::string& bytes = entry->second.bytes;
    const ssize_t length = ::recv(entry->second.socket.native_handle(), piece.data(),
                                  piece.size() - bytes.size(), 0);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return wait(entry);
    if (length <= 0)
        return refuse(entry->first, "closed during the handshake");
    bytes.append(piece.data(), static_cast<std::size_t>(length));
    const auto wanted = frameLength(bytes);
    if (wanted && (*wanted == 0 || *wanted > mostGreetingBytes - lengthBytes))
        return refuse(entry->first, "is not Tasuki's control plane");
    if (!wanted || bytes.size() < lengthBytes + *wanted)
        return wait(entry);
    greet(entry);
}

void Arrivals::greet(Entries::iterator entry)
{
    Entry taken = std::move(entry->second);
    m_strangers.remove(entry->first);
    m_entries.erase(entry);
    Accepted accepted{.fd = UniqueFd(taken.socket.release()), .from = taken.from};
    m_callbacks.greeted(std::move(accepted), std::move(taken.bytes), taken.since);
}

void Arrivals::refuse(link::Strangers::Key key, const std::string& why)
{
    m_strangers.remove(key);
    const auto entry = m_entries.find(key);
    if (entry == m_entries.end())
        return;
    // With a reset: nothing of it is to wait in the kernel either.
    const linger none{.l_onoff = 1, .l_linger = 0};
    static_cast<void>(::setsockopt(entry->second.socket.native_handle(), SOL_SOCKET, SO_LINGER,
                                   &none, sizeof(none)));
    const auto from = entry->second.from;
    m_entries.erase(entry);
    m_callbacks.refused(Error{.kind = ErrorKind::Protocol,
                              .message = "a connection from " + textOf(from) + ": " + why});
}

/// One timer for all: the oldest one's time is over first.
void Arrivals::armTimer()
{
    if (m_entries.empty() || std::exchange(m_timing, true))
        return;
    m_timer.expires_at(m_entries.begin()->second.since + m_limits.greeting);
    m_timer.async_wait([this, alive = std::weak_ptr(m_alive)](const auto& error) {
        if (error || alive.expired())
            return;
        m_timing = false;
        const SteadyTime now = std::chrono::steady_clock::now();
        while (!m_entries.empty() && now - m_entries.begin()->second.since >= m_limits.greeting)
            refuse(m_entries.begin()->first, "did not complete the handshake in time");
        armTimer();
    });
}

} // namespace tasuki::control
