// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "world/ring.h"

#include <random>
#include <string>
#include <thread>
#include <vector>

namespace tst_ring {

using namespace tasuki::world;

namespace {

struct Memory {
    static constexpr std::size_t capacity = 4096;
    RingHead head{};
    alignas(8) std::array<std::byte, capacity> bytes{};
    Ring ring{head, bytes.data(), capacity};
};

std::string recordOf(std::uint32_t number)
{
    std::mt19937 random(number);
    std::string text(random() % 1500, '\0');
    for (char& c : text)
        c = static_cast<char>(random());
    return text;
}

bool write(Ring& ring, const std::string& text)
{
    const RingPieces place = ring.reserve(text.size());
    if (place.first == nullptr)
        return false;
    if (!text.empty())
        copyInto(place, 0, text.data(), text.size());
    ring.publish(text.size());
    return true;
}

std::string read(Ring& ring)
{
    const RingPieces record = ring.front();
    std::string text(record.firstBytes + record.secondBytes, '\0');
    if (!text.empty())
        copyOutOf(record, 0, text.data(), text.size());
    ring.pop();
    return text;
}

} // namespace

/// What breaks it: a record that ends at the end of the memory, one that is seen before it is whole, a writer that is not woken.
class TestRing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void records()
    {
        Memory memory;
        QVERIFY(memory.ring.isEmpty());
        for (std::uint32_t i = 0; i < 2'000; ++i) {
            const std::string one = recordOf(i);
            const std::string other = recordOf(i + 100'000);
            QVERIFY(write(memory.ring, one) && write(memory.ring, other));
            QVERIFY(read(memory.ring) == one);
            QVERIFY(read(memory.ring) == other);
            QVERIFY(memory.ring.isEmpty());
        }
    }

    void whatIsNotPublishedIsNotThere()
    {
        Memory memory;
        QVERIFY(memory.ring.reserve(100).first != nullptr);
        QVERIFY(memory.ring.isEmpty());
        QVERIFY(write(memory.ring, "other"));
        QCOMPARE(read(memory.ring), std::string("other"));
    }

    void fullness()
    {
        Memory memory;
        const std::string longest(memory.ring.longest(), 'x');
        QVERIFY(write(memory.ring, longest));
        QVERIFY(!memory.ring.takeWriterWaits());
        QVERIFY(!write(memory.ring, "") && memory.ring.takeWriterWaits()
                && !memory.ring.takeWriterWaits());
        QVERIFY(read(memory.ring) == longest);
        QVERIFY(write(memory.ring, ""));
        QVERIFY(read(memory.ring).empty());
    }

    void twoThreads()
    {
        constexpr std::uint32_t records = 20'000;
        Memory memory;
        std::thread writer([&] {
            for (std::uint32_t i = 0; i < records;)
                if (write(memory.ring, recordOf(i)))
                    ++i;
                else
                    std::this_thread::yield();
        });
        bool same = true;
        for (std::uint32_t i = 0; i < records;) {
            if (memory.ring.isEmpty()) {
                std::this_thread::yield();
                continue;
            }
            same = read(memory.ring) == recordOf(i++) && same;
        }
        writer.join();
        QVERIFY(same);
    }
};

QTEST_APPLESS_MAIN(TestRing)

} // namespace tst_ring

#include "tst_ring.moc"
