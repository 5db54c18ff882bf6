// SPDX-License-Identifier: GPL-3.0-or-later
#include "files/uniquefd.h"
#include "process/framequeue.h"
#include "process/guardianprotocol.h"

#include <QTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

namespace tst_guardianprotocol {

using namespace tasuki;
using namespace tasuki::guardian;

class GuardianProtocolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsSurviveTheWire();
    void reportsSurviveTheWire();
    void malformedBodiesAreErrors();
    void framesArriveWhole();
    void descriptorsArriveWithTheirFrames();
    void descriptorsWithoutRoomAreNotAnothersFrames();
    void unsentDescriptorsAreClosed();
};

namespace {

std::string_view bodyOf(const std::string& frame)
{
    return std::string_view(frame).substr(headerSize);
}

AttemptKey key(std::uint32_t task, std::uint32_t number)
{
    return {TaskId(task), AttemptNumber(number)};
}

/// Two ends that do not block.
struct SocketPair {
    SocketPair()
    {
        std::array<int, 2> ends{-1, -1};
        ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data());
        from.reset(ends[0]);
        to.reset(ends[1]);
    }
    UniqueFd from;
    UniqueFd to;
};

/// @return files each of which has a size of its own, from `first` on
std::vector<UniqueFd> filesOfSize(int first, int count)
{
    std::vector<UniqueFd> files;
    for (int size = first; size < first + count; ++size) {
        files.emplace_back(::memfd_create("file", MFD_CLOEXEC));
        if (::ftruncate(files.back().get(), size) != 0)
            files.clear();
    }
    return files;
}

off_t sizeOf(const UniqueFd& file)
{
    struct stat status {};
    return ::fstat(file.get(), &status) == 0 ? status.st_size : -1;
}

/// A frame that says how many descriptors come with it, as its slot, and the size of the first, as its task.
std::string frameWith(int size, int count, std::size_t length)
{
    return encode(
        Command(Start{key(static_cast<std::uint32_t>(size), 1),
                      SlotIndex(static_cast<std::uint32_t>(count)), 1, std::string(length, 'c')}));
}

} // namespace

void GuardianProtocolTest::commandsSurviveTheWire()
{
    using std::chrono::milliseconds;
    const std::vector<Command> commands{
        Configure{RunId{"0123"}, Epoch(2), Rank(3), "/tmp", 5, 6, "/spool", milliseconds(7),
                  milliseconds(8), true},
        DefineSettings{9, milliseconds(10), "dir", {{"A", "1"}, {"B", ""}}},
        DefineSettings{9, {}, "", {}},
        ForgetSettings{11},
        Start{key(12, 13), SlotIndex(14), 15, std::string("echo \0 x", 8)},
        Start{key(12, 13), SlotIndex(14), 15, "cat", {1, 2}, ChildKind::Program},
        Start{key(12, 13), SlotIndex(14), 15, "cat", {}, ChildKind::Stage},
        Stop{key(16, 17), StopReason::Interrupted},
        StopAll{18, StopReason::Cancelled},
        KeepAlive{},
        Peek{19, {.key = key(20, 21), .standardOutputFrom = 1ULL << 40U, .standardErrorFrom = 22}},
        Fetch{19, {.key = key(20, 21), .standardOutputFrom = 5, .standardErrorFrom = notNow}, true},
        Release{key(22, 23)},
        Signal{key(24, 25), 64},
    };
    for (const Command& command : commands) {
        const auto decoded = decodeCommand(bodyOf(encode(command)));
        QVERIFY(decoded.ok());
        QVERIFY(*decoded == command);
    }
}

void GuardianProtocolTest::reportsSurviveTheWire()
{
    AttemptResult result;
    result.outcome = Outcome::Signalled;
    result.code = -3;
    result.startedAt = WallTime(std::chrono::microseconds(123456789));
    result.elapsed = std::chrono::microseconds(77);
    result.usage = {std::chrono::microseconds(1), std::chrono::microseconds(2), 3};
    result.standardOutput = {"head", "tail", 1000};
    result.standardError = {"words", "", 5};
    const std::vector<Report> reports{
        Started{key(1, 2), WallTime(std::chrono::microseconds(5))},
        Started{key(1, 2), WallTime(std::chrono::microseconds(5)), true},
        Finished{key(3, 4), result},
        AllStopped{5},
        Alive{},
        Peeked{6, {.key = key(7, 8)}},
        Peeked{9,
               {.key = key(10, 11),
                .known = true,
                .running = true,
                .standardOutput = {1ULL << 40U, std::string("a\0b", 3), (1ULL << 40U) + 3},
                .standardError = {1, "words", 9}}},
        Fetched{12, {.answer = {.key = key(10, 11), .known = true}, .problem = "no space"}},
    };
    for (const Report& report : reports) {
        const auto decoded = decodeReport(bodyOf(encode(report)));
        QVERIFY(decoded.ok());
        QVERIFY(*decoded == report);
    }
}

void GuardianProtocolTest::malformedBodiesAreErrors()
{
    QVERIFY(!decodeCommand("").ok());
    QVERIFY(!decodeCommand("\xff").ok());
    const std::string frame = encode(Command(Stop{key(1, 2), StopReason::Cancelled}));
    for (std::size_t length = 0; length + headerSize < frame.size(); ++length)
        QVERIFY(!decodeCommand(bodyOf(frame).substr(0, length)).ok());
    QVERIFY(!decodeCommand(std::string(bodyOf(frame)) + "x").ok());
    const std::string peek = encode(Command(Peek{1, {.key = key(2, 3)}}));
    for (std::size_t length = 0; length + headerSize < peek.size(); ++length)
        QVERIFY(!decodeCommand(bodyOf(peek).substr(0, length)).ok());
    const std::string peeked = encode(Report(Peeked{
        1, {.key = key(2, 3), .known = true, .running = true, .standardOutput = {1, "abc", 4}}}));
    for (std::size_t length = 0; length + headerSize < peeked.size(); ++length)
        QVERIFY(!decodeReport(bodyOf(peeked).substr(0, length)).ok());
    QVERIFY(!decodeReport(std::string(bodyOf(peeked)) + "x").ok());
    std::string unknownReason(bodyOf(frame));
    unknownReason.back() = 2;
    const auto decoded = decodeCommand(unknownReason);
    QVERIFY(!decoded.ok());
    QCOMPARE(decoded.error().kind, ErrorKind::Protocol);
    std::string unknownKind(
        bodyOf(encode(Command(Start{key(1, 2), SlotIndex(0), 1, "", {}, ChildKind::Stage}))));
    QVERIFY(decodeCommand(unknownKind).ok());
    ++unknownKind.back();
    QVERIFY(!decodeCommand(unknownKind).ok());
}

void GuardianProtocolTest::framesArriveWhole()
{
    int ends[2];
    QVERIFY(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
    const UniqueFd from(ends[0]);
    UniqueFd to(ends[1]);
    FrameWriter writer;
    FrameReader reader;
    std::vector<Command> sent;
    for (const std::size_t size : {10U, 300'000U, 5U, 9'000'000U, 0U, 100'000U, 1U}) {
        sent.emplace_back(Start{key(1, 1), SlotIndex(0), 1, std::string(size, 'c')});
        writer.queue(encode(sent.back()));
    }
    std::vector<Command> received;
    bool blocked = false;
    for (int round = 0; round < 10'000 && received.size() < sent.size(); ++round) {
        blocked = writer.flush(from.get()) == Transfer::WouldBlock || blocked;
        reader.receive(to.get());
        for (;;) {
            const auto body = reader.next();
            QVERIFY(body.ok());
            if (!*body)
                break;
            received.push_back(*decodeCommand(**body));
        }
    }
    QVERIFY(blocked);
    QVERIFY(received == sent);
    QCOMPARE(reader.receive(to.get()), Transfer::WouldBlock);
    const std::string tooLong("\xff\xff\xff\xff", 4);
    QCOMPARE(::send(from.get(), tooLong.data(), 4, 0), ssize_t(4));
    QCOMPARE(reader.receive(to.get()), Transfer::Done);
    QVERIFY(!reader.next().ok());
    to.reset();
    writer.queue(encode(Command(KeepAlive{})));
    QCOMPARE(writer.flush(from.get()), Transfer::Closed);
}

void GuardianProtocolTest::descriptorsArriveWithTheirFrames()
{
    const SocketPair pair;
    FrameWriter writer;
    FrameReader reader;
    int sizes = 0;
    int frames = 0;
    for (int round = 0; round < 20; ++round) {
        for (const std::size_t length : {10U, 300'000U, 5U, 70'000U, 0U, 1U}) {
            const int count = frames++ % (static_cast<int>(mostDescriptors) + 1);
            writer.queue(frameWith(sizes, count, length), filesOfSize(sizes, count));
            sizes += count;
        }
    }
    int received = 0;
    int expected = 0;
    bool blocked = false;
    for (int tries = 0; tries < 100'000 && received < frames; ++tries) {
        blocked = writer.flush(pair.from.get()) == Transfer::WouldBlock || blocked;
        // Read once or not at all, so that frames are glued together in other ways each time.
        if (tries % 3 != 0)
            reader.receive(pair.to.get());
        for (;;) {
            const auto body = reader.next();
            QVERIFY(body.ok());
            if (!*body)
                break;
            const auto start = std::get<Start>(*decodeCommand(**body));
            QCOMPARE(start.key.task.value(), static_cast<std::uint32_t>(expected));
            if (start.slot.value() > 0) {
                const auto taken = reader.takeDescriptors();
                QCOMPARE(taken.size(), std::size_t(start.slot.value()));
                for (const UniqueFd& file : taken) {
                    QCOMPARE(sizeOf(file), off_t(expected++));
                    QVERIFY((::fcntl(file.get(), F_GETFD) & FD_CLOEXEC) != 0);
                }
            }
            ++received;
        }
    }
    QCOMPARE(received, frames);
    QCOMPARE(expected, sizes);
    QVERIFY(blocked);
    QVERIFY(reader.takeDescriptors().empty());
}

void GuardianProtocolTest::descriptorsWithoutRoomAreNotAnothersFrames()
{
    const SocketPair pair;
    FrameWriter writer;
    FrameReader reader;
    writer.queue(frameWith(1, 2, 0), filesOfSize(1, 2));
    QCOMPARE(writer.flush(pair.from.get()), Transfer::Done);
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
    for (const rlim_t room : {rlim_t(0), rlim_t(1)}) {
        const int lowestFree = ::dup(0);
        ::close(lowestFree);
        writer.queue(frameWith(3, 2, 0), filesOfSize(3, 2));
        QCOMPARE(writer.flush(pair.from.get()), Transfer::Done);
        rlimit full = before;
        full.rlim_cur = static_cast<rlim_t>(lowestFree) + room;
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &full), 0);
        reader.receive(pair.to.get());
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
        QVERIFY(*reader.next());
        QVERIFY(reader.takeDescriptors().empty());
        QCOMPARE(::dup(0), lowestFree);
        ::close(lowestFree);
    }
    reader.receive(pair.to.get());
    QVERIFY(*reader.next());
    const auto taken = reader.takeDescriptors();
    QCOMPARE(taken.size(), std::size_t(2));
    QCOMPARE(sizeOf(taken[0]), off_t(3));
}

void GuardianProtocolTest::unsentDescriptorsAreClosed()
{
    const int lowestFree = ::dup(0);
    ::close(lowestFree);
    {
        SocketPair pair;
        FrameWriter writer;
        FrameReader reader;
        writer.queue(frameWith(0, 1, 1'000'000), filesOfSize(0, 1)); // a part of it is sent
        writer.queue(frameWith(1, 2, 0), filesOfSize(1, 2));         // nothing of it is
        QCOMPARE(writer.flush(pair.from.get()), Transfer::WouldBlock);
        reader.receive(pair.to.get()); // the frame is not whole: nobody takes what came with it
        pair.to.reset();
        QCOMPARE(writer.flush(pair.from.get()), Transfer::Closed);
    }
    QCOMPARE(::dup(0), lowestFree);
    ::close(lowestFree);
}

QTEST_APPLESS_MAIN(GuardianProtocolTest)

} // namespace tst_guardianprotocol

#include "tst_guardianprotocol.moc"
