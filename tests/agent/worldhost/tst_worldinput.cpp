// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "files/uniquefd.h"
#include "worldhost/inputpipe.h"
#include "worldhost/inputsource.h"
#include "worldhostbench.h"

#include <array>
#include <fstream>
#include <optional>
#include <random>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace tst_worldinput {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::worldhost;
using tasuki::worldhost::testing::WorldHostBench;

namespace {

std::string manyBytes(std::size_t size)
{
    std::mt19937 random(3);
    std::string bytes(size, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

/// Standard input of a launch, which the test writes.
struct InputOfTest {
    InputOfTest()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            qFatal("no pipe");
        read.reset(ends[0]);
        write.reset(ends[1]);
    }
    void put(const std::string& bytes) const
    {
        if (::write(write.get(), bytes.data(), bytes.size()) != ssize_t(bytes.size()))
            qFatal("the pipe is full");
    }

    UniqueFd read;
    UniqueFd write;
};

/// What a program reads of its standard input, when it reads.
class ReadingProgram {
public:
    explicit ReadingProgram(const std::string& path)
        : m_file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    {
        if (!m_file)
            qFatal("cannot open %s", path.c_str());
    }
    /// Reads what is there, up to so much.
    void read(std::size_t most)
    {
        std::string room(most, '\0');
        const ssize_t count = ::read(m_file.get(), room.data(), room.size());
        ended = ended || count == 0;
        if (count > 0)
            bytes.append(room, 0, std::size_t(count));
    }

    std::string bytes;
    bool ended = false;

private:
    UniqueFd m_file;
};

/// All of a source from its begin, as it is there now. @return none: it does not come to an end
std::optional<std::string> wholeOf(InputSource& source)
{
    std::string bytes;
    for (int pieces = 0; pieces < 10'000; ++pieces) {
        const auto piece = source.read(bytes.size());
        if (!piece)
            return std::nullopt;
        bytes += piece->bytes;
        if (piece->end)
            return bytes;
    }
    return std::nullopt;
}

} // namespace

/// What breaks it: bytes that are lost or come twice, an end that is not seen, an agent that waits.
class TestWorldInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pieceByPiece();
    void wholeFiles_data();
    void wholeFiles();
    void nothingToRead_data();
    void nothingToRead();
    void whatCannotBeKept();
    void programThatDoesNotRead();
    void endBeforeItIsOpened();
    void throughTheLaunch();
    void secondAnswersAndOldQuestions();
    void againFromTheBegin();
};

void TestWorldInput::pieceByPiece()
{
    const QTemporaryDir folder;
    InputOfTest input;
    InputSource source(input.read.get(), folder.path().toStdString());
    QVERIFY(!source.read(0)); // it has not come yet
    input.put("abc");
    const auto first = source.read(0);
    QVERIFY(first && first->bytes == "abc" && !first->end);
    QVERIFY(!source.read(3));
    const auto again = source.read(0);
    QVERIFY(again && again->bytes == "abc" && !again->end);
    QCOMPARE(source.read(2)->bytes, std::string("c"));
    input.put("def");
    QCOMPARE(source.read(3)->bytes, std::string("def"));
    QCOMPARE(source.read(1)->bytes, std::string("bcdef"));
    QVERIFY(!source.read(6));
    input.write.reset();
    const auto last = source.read(6);
    QVERIFY(last && last->bytes.empty() && last->end);
    QCOMPARE(wholeOf(source).value_or("no end"), std::string("abcdef"));
    QVERIFY(folder.isValid());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 0); // no name
}

void TestWorldInput::wholeFiles_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {0, 1, 256 * 1024, 256 * 1024 + 1, 1'000'000})
        QTest::addRow("%d", size) << size;
}

void TestWorldInput::wholeFiles()
{
    QFETCH(int, size);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("input").toStdString();
    const std::string bytes = manyBytes(std::size_t(size));
    std::ofstream(path, std::ios::binary) << bytes;
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    InputSource source(file.get(), folder.path().toStdString());
    QVERIFY(wholeOf(source) == bytes);
    QVERIFY(wholeOf(source) == bytes); // of who begins again
}

void TestWorldInput::nothingToRead_data()
{
    QTest::addColumn<QByteArray>("path"); ///< empty: there is no input
    QTest::newRow("none") << QByteArray();
    QTest::newRow("null") << QByteArray("/dev/null");
    QTest::newRow("a folder") << QByteArray("/");
}

void TestWorldInput::nothingToRead()
{
    QFETCH(QByteArray, path);
    const UniqueFd file(path.isEmpty() ? -1 : ::open(path.constData(), O_RDONLY | O_CLOEXEC));
    InputSource source(file.get(), "/tmp");
    for (int time = 0; time < 2; ++time) {
        const auto piece = source.read(0);
        QVERIFY(piece && piece->bytes.empty() && piece->end);
    }
}

void TestWorldInput::whatCannotBeKept()
{
    InputOfTest input;
    InputSource source(input.read.get(), "/nowhere/at/all");
    input.put("abc");
    QCOMPARE(source.read(0)->bytes, std::string("abc")); // who reads it once gets it
    const auto again = source.read(0);
    QVERIFY(again && again->bytes.empty() && again->end);
}

void TestWorldInput::programThatDoesNotRead()
{
    Result<InputPipe> pipe = InputPipe::make();
    QVERIFY(pipe.ok());
    QVERIFY(pipe->wants() && pipe->from() == 0);
    QVERIFY(!pipe->move());
    const std::string bytes = manyBytes(3'000'000); // more than a pipe takes
    ReadingProgram program(pipe->path());
    program.read(1);
    QVERIFY(program.bytes.empty() && !program.ended);
    pipe->give(bytes, true);
    QVERIFY(!pipe->wants()); // some of it waits
    QCOMPARE(pipe->from(), std::uint64_t{3'000'000});
    QVERIFY(!pipe->move());
    for (int round = 0; round < 10'000 && !program.ended; ++round) {
        program.read(70'000);
        pipe->move();
    }
    QVERIFY(program.ended);
    QVERIFY(program.bytes == bytes);
    QVERIFY(!pipe->wants() && !pipe->move()); // nothing is wanted behind the end
}

void TestWorldInput::endBeforeItIsOpened()
{
    Result<InputPipe> pipe = InputPipe::make();
    QVERIFY(pipe.ok());
    pipe->give("abc", false);
    QVERIFY(pipe->wants() && pipe->from() == 3);
    pipe->give("", true);
    ReadingProgram program(pipe->path()); // does not wait for anybody
    program.read(10);
    program.read(10);
    QVERIFY(program.ended);
    QCOMPARE(program.bytes, std::string("abc"));
}

void TestWorldInput::throughTheLaunch()
{
    InputOfTest input;
    WorldHostBench bench({"a", "b"}, input.read.get());
    bench.joinAll(WorldHostBench::startOf({1, 0}));
    bench.settle();
    QVERIFY(bench.told<InputWanted>(0).empty()); // nobody has asked for it
    const Result<std::string> path = bench[1].openInput({0, 0});
    QVERIFY(path.ok());
    ReadingProgram program(*path);
    bench.settle();
    const std::size_t asked = bench.told<InputWanted>(0).size();
    QVERIFY(asked > 1); // until it is answered
    QVERIFY(bench.told<Input>(1).empty());
    const std::string bytes = manyBytes(400'000);
    for (std::size_t at = 0; at < bytes.size(); at += 40'000) {
        input.put(bytes.substr(at, 40'000));
        bench.settle();
        program.read(100'000);
    }
    bench.settle();
    QVERIFY(!program.ended);
    input.write.reset();
    bench.settle();
    for (int round = 0; round < 100 && !program.ended; ++round)
        program.read(100'000);
    QVERIFY(program.ended && program.bytes == bytes);
    const std::size_t before = bench.log.size();
    bench.settle();
    QCOMPARE(bench.log.size(), before); // nothing is asked behind the end
}

void TestWorldInput::secondAnswersAndOldQuestions()
{
    InputOfTest input;
    WorldHostBench bench({"a", "b"}, input.read.get());
    bench.joinAll(WorldHostBench::startOf({1, 0}));
    bench.settle();
    ReadingProgram program(*bench[1].openInput({0, 0}));
    const auto tell = [&](std::uint64_t from, const std::string& bytes) {
        bench[1].receive(ProcessorId(0), {{0, 0}, Input{.from = from, .bytes = bytes}});
    };
    tell(3, "from elsewhere");
    tell(0, "abc");
    tell(0, "abc"); // said twice
    tell(3, "def");
    program.read(100);
    QCOMPARE(program.bytes, std::string("abcdef"));
    bench[1].left({0, 0});
    tell(6, "ghi");
    bench.settle();
    QVERIFY(bench.told<InputWanted>(0).empty()); // who has ended wants nothing
    program.read(100);
    QVERIFY(program.ended);
}

void TestWorldInput::againFromTheBegin()
{
    InputOfTest input;
    WorldHostBench bench({"a", "b"}, input.read.get());
    for (std::uint32_t generation = 0; generation < 3; ++generation) {
        bench.joined.clear();
        bench.joinAll(WorldHostBench::startOf({1, 0}, generation));
        bench.settle();
        ReadingProgram program(*bench[1].openInput({0, generation}));
        input.put(std::to_string(generation));
        bench.settle();
        program.read(100);
        QCOMPARE(program.bytes, std::string("012").substr(0, generation + 1));
        QVERIFY(!program.ended);
    }
}

QTEST_APPLESS_MAIN(TestWorldInput)

} // namespace tst_worldinput

#include "tst_worldinput.moc"
