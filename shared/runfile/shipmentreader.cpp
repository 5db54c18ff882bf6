// SPDX-License-Identifier: GPL-3.0-or-later
#include "shipmentreader.h"

#include <array>
#include <utility>

namespace tasuki {

namespace {

bool hasMagic(const FreshFile& file)
{
    std::array<char, shipmentMagic.size()> found{};
    return file.read(0, found.data(), found.size()) == found.size()
        && std::string_view(found.data(), found.size()) == shipmentMagic;
}

} // namespace

Result<bool> isShipment(const std::filesystem::path& path)
{
    const auto file = FreshFile::open(path);
    if (!file)
        return file.error();
    return hasMagic(*file);
}

Result<ShipmentReader> ShipmentReader::open(const std::filesystem::path& path)
{
    auto file = FreshFile::open(path);
    if (!file)
        return file.error();
    if (!hasMagic(*file))
        return about(path, ErrorKind::Foreign, "is not a run file of Tasuki");
    file->dropKept();
    ShipmentReader reader(std::move(*file));
    reader.m_place.offset = shipmentMagic.size();
    ShipmentFrame frame;
    std::string content;
    auto opening = reader.next(frame, content) && frame.kind == ShipmentKind::Opening
        ? shipmentOpeningOf(content)
        : std::nullopt;
    if (!opening)
        return about(path, ErrorKind::Damaged, "is damaged: it does not name its run");
    reader.m_opening = std::move(*opening);
    return reader;
}

bool ShipmentReader::next(ShipmentFrame& frame, std::string& content)
{
    std::array<char, shipmentFrameHead> head{};
    if (m_file.read(m_place.offset, head.data(), head.size()) != head.size())
        return false;
    const std::string_view words(head.data(), head.size());
    const auto found = shipmentFrameOf(words);
    const std::uint64_t begin = m_place.offset + head.size();
    // What is longer than the file was is not whole; no memory is asked for it.
    if (!found || found->number != m_place.number || found->bytes > shipmentFrameLimit
        || begin > m_file.size() || found->bytes > m_file.size() - begin)
        return false;
    content.resize(found->bytes);
    if (m_file.read(begin, content.data(), content.size()) != content.size()
        || !isWhole(words, *found, content))
        return false;
    frame = *found;
    m_place = {.offset = begin + frame.bytes, .number = frame.number + 1, .at = frame.at};
    return true;
}

} // namespace tasuki
