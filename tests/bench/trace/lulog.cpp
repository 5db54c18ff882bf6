// SPDX-License-Identifier: GPL-3.0-or-later
#include "lulog.h"

#include <array>
#include <charconv>
#include <fstream>

namespace tasuki::bench {

namespace {

constexpr int tasks = 4;
constexpr int order = 1000; // of the matrix: after so many steps comes the next one
constexpr int columnsPerBlock = 5;

class LuLog {
public:
    explicit LuLog(const std::string& path) : m_file(path, std::ios::binary)
    {
        put("-1 0 0 0 0 0 Me\n-3 0 0 4 0 0\n-4 0 0 1 0 0\n-5 0 0 6 0 0\n-6 0 0 0 0 0\n"
            "-8 0 0 1 0 0\n-11 0 0 0 0 0\n-13 0 155 156 0 0 green:light_gray RECV\n"
            "-13 0 161 162 0 0 blue:gray3 SEND\n");
    }

    void step(int column)
    {
        const int owner = column / columnsPerBlock % tasks;
        const int bytes = (order - column) * 8;
        for (int other = 0; other < tasks; ++other) {
            if (other != owner)
                record(155, other, 1, -1, 0, 35);
        }
        for (int other = 0; other < tasks; ++other) {
            if (other == owner)
                continue;
            record(161, owner, 1, -1, 0, 120);
            record(-101, owner, other, column, bytes, 60);
            record(162, owner, 2, -1, 0, 180);
            record(-102, other, owner, column, bytes, 400);
            record(156, other, 2, -1, 0, 40);
        }
        m_timeUs += bytes;
        if (m_text.size() >= flushBytes)
            flush();
    }

    bool flush()
    {
        m_file.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
        m_text.clear();
        return m_file.flush().good();
    }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] std::uint64_t records() const { return m_records; }

private:
    static constexpr std::size_t flushBytes = std::size_t{1} << 20U;

    void put(std::string_view text)
    {
        m_text += text;
        m_bytes += text.size();
    }
    void put(std::int64_t number)
    {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        put(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
        put(" ");
    }
    void record(int type, int task, int data, int tag, int bytes, int passesUs)
    {
        m_timeUs += passesUs;
        ++m_records;
        for (const std::int64_t number : {type, task, 0, data, 0})
            put(number);
        put(m_timeUs);
        if (tag >= 0) {
            put(tag);
            put(bytes);
        }
        put("\n");
    }

    std::ofstream m_file;
    std::string m_text;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_records = 0;
    std::int64_t m_timeUs = 0;
};

} // namespace

std::uint64_t writeLuLog(const std::string& path, std::uint64_t bytes)
{
    LuLog log(path);
    for (int column = 0; log.bytes() < bytes; column = (column + 1) % order)
        log.step(column);
    return log.flush() ? log.records() : 0;
}

} // namespace tasuki::bench
