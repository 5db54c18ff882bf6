// SPDX-License-Identifier: GPL-3.0-or-later
#include "determinants.h"

#include <cassert>
#include <cstddef>
#include <vector>

namespace tasuki::world {

namespace {

// An entry: a tag, then numbers of seven bits a byte, the lowest first, and the eighth bit where more follow.
constexpr std::uint8_t deliveryTag = 0;
constexpr std::uint8_t joiningTag = 1;
constexpr std::uint8_t valueTag = 2;                     ///< and the kind
constexpr std::uint8_t pointTag = valueTag + valueKinds; ///< and behind the numbers what it saves
constexpr unsigned numberBits = 7;
constexpr std::uint8_t moreFollow = 0x80;
constexpr std::size_t longestNumber = 10;
constexpr std::size_t mostNumbers = 3;

/// Small numbers for small differences, whatever their sign.
std::uint64_t folded(std::int64_t number)
{
    const auto bits = static_cast<std::uint64_t>(number);
    return (bits << 1U) ^ (number < 0 ? ~std::uint64_t{0} : 0);
}

std::int64_t unfolded(std::uint64_t number)
{
    return static_cast<std::int64_t>((number >> 1U) ^ ((number & 1U) != 0 ? ~std::uint64_t{0} : 0));
}

std::int64_t plus(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t minus(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

} // namespace

Determinants::Determinants(Log log, StreamHead& head)
    : m_head(&head), m_reader(log, head), m_writer(log, head)
{
    m_writer.goToEnd();
    decode();
}

std::uint8_t Determinants::readByte()
{
    std::uint8_t byte = 0;
    m_isCut = m_isCut || m_reader.available() == 0;
    if (!m_isCut)
        m_reader.read(&byte, 1);
    return byte;
}

std::uint64_t Determinants::readNumber()
{
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += numberBits) {
        const std::uint8_t byte = readByte();
        number |= std::uint64_t{byte & (moreFollow - 1U)} << shift;
        if ((byte & moreFollow) == 0)
            return number;
    }
}

/// Reads what comes next. What follows the first restart point that was is the latest.
void Determinants::decode()
{
    m_leaps = false;
    const auto [stays, needed] = releasedOf(*m_head);
    const bool isCutOut = !m_firstPoint && needed > stays && m_reader.place().position == stays;
    if (isCutOut)
        m_reader.seek(needed);
    decodeNext();
    if (m_next.kind != Entry::Kind::Point)
        return;
    if (!m_firstPoint) {
        m_firstPoint = isCutOut ? stays : m_passed;
        goToLatestPoint();
    }
    m_lastPoint = m_passed;
}

void Determinants::goToLatestPoint()
{
    std::uint64_t latest = m_passed;
    while (replays()) {
        if (m_next.kind == Entry::Kind::Point) {
            latest = m_passed;
            m_reader.seek(m_reader.place().position + m_pointLeft);
        }
        decodeNext();
    }
    m_leaps = latest != *m_firstPoint;
    m_reader.seek(latest);
    decodeNext();
}

/// What the life before has not written to its end is not there: this one writes it.
void Determinants::decodeNext()
{
    m_passed = m_reader.place().position;
    m_next = {};
    if (m_reader.available() == 0)
        return;
    const std::uint64_t lastStep = m_lastStep;
    const auto lastValues = m_lastValues;
    m_isCut = false;
    decodeEntry();
    if (!m_isCut)
        return;
    m_next = {};
    m_lastStep = lastStep;
    m_lastValues = lastValues;
    m_writer.truncate(m_passed);
}

void Determinants::decodeEntry()
{
    const std::uint8_t tag = readByte();
    if (tag == pointTag) {
        m_next.kind = Entry::Kind::Point;
        m_next.point.step = readNumber();
        m_next.point.first = readNumber();
        m_next.point.bytes = readNumber();
        m_pointLeft = m_next.point.bytes;
        m_isCut = m_isCut || m_reader.available() < m_pointLeft;
        m_lastStep = m_next.point.step;
        m_lastValues = {};
        return;
    }
    if (tag >= valueTag) {
        m_next.kind = Entry::Kind::Value;
        m_next.value.kind = static_cast<ValueKind>(tag - valueTag);
        std::int64_t& last = m_lastValues[tag - valueTag];
        last = plus(last, unfolded(readNumber()));
        m_next.value.value = last;
        return;
    }
    m_next.kind = Entry::Kind::Delivery;
    m_lastStep += readNumber();
    m_next.delivery.step = m_lastStep;
    m_next.delivery.from = static_cast<WorldRank>(readNumber());
    m_next.delivery.bytes = readNumber();
    m_next.delivery.joins = tag == joiningTag;
}

void Determinants::pass()
{
    assert(replays());
    if (m_next.kind == Entry::Kind::Point)
        m_reader.seek(m_reader.place().position + m_pointLeft);
    decode();
}

void Determinants::readPoint(void* to, std::uint64_t bytes)
{
    assert(m_next.kind == Entry::Kind::Point && bytes <= m_pointLeft);
    m_pointLeft -= bytes;
    m_reader.read(to, bytes);
}

bool Determinants::append(std::uint8_t tag, std::span<const std::uint64_t> numbers,
                          std::span<const StreamWriter::Part> more)
{
    std::array<std::uint8_t, 1 + mostNumbers * longestNumber> bytes{tag};
    std::size_t used = 1;
    for (std::uint64_t number : numbers) {
        for (; number >= moreFollow; number >>= numberBits)
            bytes[used++] = static_cast<std::uint8_t>(number) | moreFollow;
        bytes[used++] = static_cast<std::uint8_t>(number);
    }
    const std::array numbersAlone{StreamWriter::Part{bytes.data(), used}};
    std::vector<StreamWriter::Part> all; // of a restart point
    if (!more.empty()) {
        all.assign(numbersAlone.begin(), numbersAlone.end());
        all.insert(all.end(), more.begin(), more.end());
    }
    if (m_writer.write(more.empty() ? std::span<const StreamWriter::Part>(numbersAlone) : all)
        == StreamWriter::Written::Full)
        return false;
    m_passed = m_writer.end();
    return true;
}

bool Determinants::note(const Delivery& delivery)
{
    assert(!replays());
    const std::array<std::uint64_t, mostNumbers> numbers{delivery.step - m_lastStep, delivery.from,
                                                         delivery.bytes};
    m_lastStep = delivery.step;
    return append(delivery.joins ? joiningTag : deliveryTag, numbers);
}

bool Determinants::note(const Value& value)
{
    assert(!replays());
    const auto kind = static_cast<std::uint8_t>(value.kind);
    const std::array<std::uint64_t, 1> numbers{folded(minus(value.value, m_lastValues[kind]))};
    m_lastValues[kind] = value.value;
    return append(static_cast<std::uint8_t>(valueTag + kind), numbers);
}

bool Determinants::notePoint(std::uint64_t step, std::uint64_t first,
                             std::span<const StreamWriter::Part> saved)
{
    assert(!replays());
    std::uint64_t bytes = 0;
    for (const StreamWriter::Part& part : saved)
        bytes += part.bytes;
    const std::uint64_t before = m_writer.end();
    const std::array<std::uint64_t, mostNumbers> numbers{step, first, bytes};
    if (!append(pointTag, numbers, saved))
        return false;
    m_lastStep = step;
    m_lastValues = {};
    if (!m_firstPoint)
        m_firstPoint = before;
    m_lastPoint = before;
    return true;
}

void Determinants::releaseBefore() { release(*m_head, *m_firstPoint, m_lastPoint); }

} // namespace tasuki::world
