// SPDX-License-Identifier: GPL-3.0-or-later
#include "inputsource.h"

#include "files/namelessfile.h"

#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace tasuki::worldhost {

namespace {

constexpr std::size_t pieceBytes = 256 * 1024;

} // namespace

InputSource::InputSource(int input, const std::filesystem::path& folder)
    : m_input(input), m_ended(input < 0)
{
    if (!m_ended)
        m_copy = namelessFile(folder.string());
}

std::optional<InputSource::Piece> InputSource::read(std::uint64_t from)
{
    Piece piece;
    piece.bytes.resize(pieceBytes);
    if (from < m_known) {
        const ssize_t count = ::pread(m_copy.get(), piece.bytes.data(), piece.bytes.size(),
                                      static_cast<off_t>(from));
        piece.bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
        piece.end = piece.bytes.empty(); // it is not there any more
        return piece;
    }
    const std::optional<std::size_t> count = readMore(piece.bytes);
    if (!count)
        return std::nullopt;
    piece.bytes.resize(*count);
    piece.end = m_ended;
    return piece;
}

/// @return how much has come; none: nothing has, and something may
std::optional<std::size_t> InputSource::readMore(std::string& room)
{
    if (m_ended)
        return 0;
    pollfd waiting{.fd = m_input, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, 0) <= 0)
        return std::nullopt;
    const ssize_t count = ::read(m_input, room.data(), room.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return std::nullopt;
    m_ended = count <= 0;
    const std::size_t come = m_ended ? 0 : static_cast<std::size_t>(count);
    if (come != 0 && m_copy)
        static_cast<void>(!::pwrite(m_copy.get(), room.data(), come, static_cast<off_t>(m_known)));
    m_known += come;
    return come;
}

} // namespace tasuki::worldhost
