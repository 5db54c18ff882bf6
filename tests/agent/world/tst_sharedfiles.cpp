// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/log.h"
#include "world/segment.h"
#include "world/sharedfiles.h"

#include <QtTest>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace tst_sharedfiles {

using namespace tasuki;
using namespace tasuki::world;

class TestSharedFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void othersSeeTheSame()
    {
        auto made = SharedFiles::create({.first = 8192, .others = 3, .other = 4096});
        QVERIFY(made.ok());
        auto opened = SharedFiles::open(made->path());
        QVERIFY(opened.ok());
        QVERIFY(opened->sizes() == made->sizes());
        made->first()[8191] = std::byte{7};
        QCOMPARE(static_cast<int>(opened->first()[8191]), 7);
        for (std::uint32_t number = 0; number < 3; ++number) {
            opened->other(number)[4095] = std::byte{9};
            QCOMPARE(static_cast<int>(made->other(number)[4095]), 9);
            // What is written through a descriptor stands in that file's memory, and in no other one.
            const char text = static_cast<char>('a' + number);
            QCOMPARE(::pwrite(opened->descriptorOf(number), &text, 1, 0), 1);
            QCOMPARE(static_cast<char>(made->other(number)[0]), text);
            QCOMPARE(opened->nodeOf(number), made->nodeOf(number));
        }
        QVERIFY(made->nodeOf(0) != made->nodeOf(1));
    }

    /// Who has opened them hands them on, also when nobody else has them any more.
    void areHandedOn()
    {
        auto made = SharedFiles::create({.first = 8192, .others = 2, .other = 4096});
        QVERIFY(made.ok());
        std::strcpy(reinterpret_cast<char*>(made->other(1)), "kept");
        std::optional<SharedFiles> second(std::move(*SharedFiles::open(made->path())));
        const std::string before = made->path();
        made = Error{};
        QVERIFY(!SharedFiles::open(before).ok());
        auto third = SharedFiles::open(second->path());
        QVERIFY(third.ok());
        second.reset();
        QCOMPARE(reinterpret_cast<const char*>(third->other(1)), "kept");
    }

    /// The numbers that would follow belong to something else.
    void somethingIsInTheWay()
    {
        const int lowest = ::dup(0);
        QVERIFY(lowest >= 0);
        std::vector<int> inTheWay;
        for (const int behind : {3, 5, 9, 14})
            inTheWay.push_back(::fcntl(0, F_DUPFD_CLOEXEC, lowest + behind));
        ::close(lowest);
        auto made = SharedFiles::create({.first = 8192, .others = 8, .other = 4096});
        QVERIFY(made.ok());
        auto opened = SharedFiles::open(made->path());
        QVERIFY(opened.ok());
        for (std::uint32_t number = 0; number < 8; ++number) {
            made->other(number)[0] = static_cast<std::byte>(number);
            QCOMPARE(static_cast<std::uint32_t>(opened->other(number)[0]), number);
            QCOMPARE(opened->descriptorOf(number),
                     opened->descriptor() + 1 + static_cast<int>(number));
        }
        for (const int descriptor : inTheWay)
            ::close(descriptor);
    }

    void somethingElseIsRefused()
    {
        auto made = SharedFiles::create({.first = 8192, .others = 2, .other = 4096});
        QVERIFY(made.ok());
        auto another = SharedFiles::create({.first = 8192, .others = 2, .other = 4096});
        QVERIFY(another.ok());
        // Another file has the number of one of them.
        const int number = made->descriptorOf(1);
        QCOMPARE(::dup3(another->descriptorOf(1), number, O_CLOEXEC), number);
        const auto opened = SharedFiles::open(made->path());
        QVERIFY(!opened.ok());
        QVERIFY(opened.error().kind == ErrorKind::Foreign);
        QCOMPARE(opened.error().place->file,
                 "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(number));
        QVERIFY(SharedFiles::open("/dev/zero").error().kind == ErrorKind::Foreign);
        QVERIFY(!SharedFiles::open("/nowhere").ok());
    }

    /// More ranks than files: several have their logs in one, none in the memory of another.
    void logsOfManyRanks()
    {
        constexpr WorldRank ranks = SharedFiles::mostOthers + 3;
        const auto made = Segment::create({.ranks = ranks, .logBytes = 2 * Log::chunkBytes});
        QVERIFY(made.ok());
        const auto opened = Segment::open(made->path());
        QVERIFY(opened.ok());
        const auto write = [&](WorldRank rank, std::string text) {
            StreamWriter writer(made->log(rank), made->stream(rank, 0));
            const std::array parts{StreamWriter::Part{text.data(), text.size()}};
            return writer.write(parts) == StreamWriter::Written::New;
        };
        const auto textOf = [](WorldRank rank) {
            return std::string(Log::chunkBytes + 100, static_cast<char>('0' + rank));
        };
        for (WorldRank rank = 0; rank < ranks; ++rank)
            QVERIFY(write(rank, textOf(rank)));
        for (WorldRank rank = 0; rank < ranks; ++rank) {
            StreamReader reader(opened->log(rank), opened->stream(rank, 0));
            std::string text(reader.available(), ' ');
            reader.read(text.data(), text.size());
            QVERIFY(text == textOf(rank));
        }
    }
};

QTEST_APPLESS_MAIN(TestSharedFiles)

} // namespace tst_sharedfiles

#include "tst_sharedfiles.moc"
