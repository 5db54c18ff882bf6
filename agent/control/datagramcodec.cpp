// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagramcodec.h"

#include "bytes.h"

#include <cassert>

namespace tasuki::control {

namespace {

constexpr std::string_view datagramMagic = "TSKB";
constexpr std::uint16_t datagramVersion = 1;

} // namespace

DatagramCodec::DatagramCodec(const RunKey& key)
    : m_authenticator(deriveKey(key, "tasuki control datagrams"))
{}

std::string DatagramCodec::seal(const DatagramHeader& header, std::string_view content) const
{
    assert(content.size() <= datagramContentBytes);
    std::string bytes;
    bytes.reserve(datagramHeaderBytes + content.size() + tagBytes);
    bytes += datagramMagic;
    putNumber(bytes, datagramVersion);
    putNumber(bytes, std::uint16_t{0});
    putNumber(bytes, header.epoch.value());
    putNumber(bytes, header.from.value());
    putNumber(bytes, header.to.value());
    putNumber(bytes, header.life.value());
    putNumber(bytes, header.number);
    bytes += content;
    const Tag tag = m_authenticator.tag(bytes);
    return bytes.append(tag.begin(), tag.end());
}

DatagramCodec::Opened DatagramCodec::open(std::string_view datagram) const
{
    if (datagram.size() < datagramHeaderBytes + tagBytes || datagram.size() > datagramBytes
        || !datagram.starts_with(datagramMagic))
        return {.flaw = DatagramFlaw::Malformed};
    ByteReader reader(datagram.substr(datagramMagic.size()));
    if (reader.number<std::uint16_t>() != datagramVersion)
        return {.flaw = DatagramFlaw::OtherVersion};
    const std::string_view sealed = datagram.substr(0, datagram.size() - tagBytes);
    if (!m_authenticator.matches(datagram.substr(sealed.size()), sealed))
        return {.flaw = DatagramFlaw::WrongTag};
    static_cast<void>(reader.number<std::uint16_t>());
    Opened opened;
    opened.header.epoch = Epoch(reader.number<std::uint32_t>());
    opened.header.from = ProcessorId(reader.number<std::uint32_t>());
    opened.header.to = ProcessorId(reader.number<std::uint32_t>());
    opened.header.life = Life(reader.number<std::uint32_t>());
    opened.header.number = reader.number<std::uint64_t>();
    opened.content = sealed.substr(datagramHeaderBytes);
    return opened;
}

} // namespace tasuki::control
