// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "client/runfilesource.h"
#include "client/session.h"
#include "manualsource.h"
#include "patience.h"
#include "runfile/runfilewriter.h"
#include "shared/domain/randomhistory.h"
#include "support/history.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

namespace tst_runfilesource {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

RunFileWriter makeFile(const std::filesystem::path& path, std::span<const Event> events)
{
    auto writer = RunFileWriter::create(path, RunId::random());
    if (!writer)
        qFatal("%s", writer.error().text().c_str());
    if (auto appended = writer->append(events); !appended)
        qFatal("%s", appended.error().text().c_str());
    return std::move(*writer);
}

std::vector<Event> manyTasks(std::uint32_t count)
{
    History history;
    history.add(RunOpened{});
    for (std::uint32_t i = 0; i < count; ++i)
        history.addTask("true");
    return history.events();
}

/// What a source, or a session, answers when it has done what it was asked before.
template <class Asked>
Result<OutputAnswer> answerOf(Asked& asked, OutputQuery query = {})
{
    std::optional<Result<OutputAnswer>> answer;
    asked.requestOutput(query, [&](const Result<OutputAnswer>& given) { answer.emplace(given); });
    if (!waitFor([&] { return answer.has_value(); }))
        qFatal("no answer");
    return *answer;
}

} // namespace

class TestRunFileSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path(m_directory->path().toStdString()) / "run.tasuki";
    }

    void readsAll();
    void followsAnAgent();
    void followsAnAgentOfAnotherHost();
    void readsNoMoreThanIsReleased();
    void whatCannotBeOpened_data();
    void whatCannotBeOpened();
    void damageInside();
    void restarts();
    void outputs();
    void takesNoCommands();
    void closedWhileItReads();

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::filesystem::path m_path;
    SystemClock m_clock;
};

void TestRunFileSource::readsAll()
{
    const auto events = RandomHistory(3).more(20'000);
    {
        const auto writer = makeFile(m_path, events);
    }
    Session session(std::make_unique<RunFileSource>(m_path), m_clock);
    QCOMPARE(session.name(), QString::fromStdString(m_path.string()));
    session.start();
    QTRY_COMPARE(session.eventsApplied(), std::uint64_t(20'000));
    QTRY_VERIFY(!session.loading());
    QCOMPARE(session.connection().state, ConnectionState::Offline);
    QVERIFY(session.damage().isEmpty());
    QVERIFY(sameState(session.state(), stateOf(events)));
    QVERIFY(session.dataAge().has_value());
}

void TestRunFileSource::followsAnAgent()
{
    RandomHistory history(4);
    auto events = history.more(500);
    auto writer = makeFile(m_path, events);
    Session session(std::make_unique<RunFileSource>(m_path, nullptr, 20ms), m_clock);
    session.start();
    for (int i = 0; i < 5; ++i) {
        QTRY_COMPARE(session.eventsApplied(), std::uint64_t(events.size()));
        const auto more = history.more(300);
        QVERIFY(writer.append(more).ok());
        events.insert(events.end(), more.begin(), more.end());
    }
    QTRY_COMPARE(session.eventsApplied(), std::uint64_t(events.size()));
    QVERIFY(sameState(session.state(), stateOf(events)));
}

/// It says how old what it shows is, and goes on in the file that takes the shipment's place.
void TestRunFileSource::followsAnAgentOfAnotherHost()
{
    const auto leave = qScopeGuard([] {
        qunsetenv("TASUKI_RECORD");
        qunsetenv("TASUKI_LOCAL_DIR");
    });
    qputenv("TASUKI_RECORD", "shipped");
    qputenv("TASUKI_LOCAL_DIR", m_directory->filePath(QStringLiteral("there")).toUtf8());
    RandomHistory history(4);
    auto events = history.more(500);
    auto writer = makeFile(m_path, events);
    qputenv("TASUKI_LOCAL_DIR", m_directory->filePath(QStringLiteral("here")).toUtf8());
    Session session(std::make_unique<RunFileSource>(m_path, nullptr, 20ms), m_clock);
    session.start();
    QTRY_COMPARE(session.eventsApplied(), std::uint64_t(events.size()));
    QTRY_VERIFY(session.connection().reason.contains(QStringLiteral("written by process ")));
    QCOMPARE(session.connection().state, ConnectionState::Offline);
    const auto more = history.more(300);
    QVERIFY(writer.append(more).ok());
    events.insert(events.end(), more.begin(), more.end());
    QTRY_COMPARE(session.eventsApplied(), std::uint64_t(events.size()));
    QVERIFY(writer.close().ok());
    QTRY_VERIFY(session.connection().reason.isEmpty());
    QVERIFY(sameState(session.state(), stateOf(events)));
}

void TestRunFileSource::readsNoMoreThanIsReleased()
{
    const auto events = manyTasks(100'000);
    {
        const auto writer = makeFile(m_path, events);
    }
    RunFileSource source(m_path, nullptr, 10ms);
    std::vector<SharedBatch> batches;
    bool caughtUp = false;
    bool takesAll = false;
    quint64 toCome = 0;
    connect(&source, &SessionSource::batchArrived, this, [&](const SharedBatch& batch) {
        batches.push_back(batch);
        if (takesAll)
            source.release(1);
    });
    connect(&source, &SessionSource::caughtUp, this, [&] { caughtUp = true; });
    connect(&source, &SessionSource::catchingUp, this, [&](quint64 count) { toCome = count; });
    source.start();
    QTRY_COMPARE(batches.size(), SessionSource::batchWindow);
    QVERIFY(answerOf(source).ok()); // its thread has nothing more to do
    QCOMPARE(batches.size(), SessionSource::batchWindow);
    QCOMPARE(toCome, quint64(events.size()));
    QVERIFY(!caughtUp);
    source.release(2);
    QTRY_COMPARE(batches.size(), SessionSource::batchWindow + 2);
    QVERIFY(answerOf(source).ok());
    QCOMPARE(batches.size(), SessionSource::batchWindow + 2);
    takesAll = true;
    source.release(batches.size() - 2);
    QTRY_VERIFY(caughtUp);
    std::size_t count = 0;
    EventId last;
    for (const auto& batch : batches) {
        QVERIFY(batch->events.size() <= SessionSource::batchEvents);
        for (const Event& event : batch->events) {
            QVERIFY(event.id > last);
            last = event.id;
            ++count;
        }
    }
    QCOMPARE(count, events.size());
}

void TestRunFileSource::whatCannotBeOpened_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("exists");
    QTest::newRow("missing") << QByteArray() << false;
    QTest::newRow("empty") << QByteArray() << true;
    QTest::newRow("text") << QByteArray("these are no events\n") << true;
    QTest::newRow("garbage") << QByteArray(5000, '\xa7') << true;
    QTest::newRow("of SQLite's kind")
        << QByteArray("SQLite format 3\0", 16) + QByteArray(84, '\1') << true;
}

void TestRunFileSource::whatCannotBeOpened()
{
    QFETCH(QByteArray, content);
    QFETCH(bool, exists);
    if (exists) {
        std::ofstream file(m_path, std::ios::binary);
        file.write(content.constData(), content.size());
    }
    Session session(std::make_unique<RunFileSource>(m_path), m_clock);
    session.start();
    QTRY_COMPARE(session.connection().state, ConnectionState::Refused);
    QVERIFY2(session.connection().reason.contains(QStringLiteral("run.tasuki")),
             qPrintable(session.connection().reason));
    QVERIFY(!session.loading());
    QCOMPARE(session.eventsApplied(), std::uint64_t(0));
}

void TestRunFileSource::damageInside()
{
    {
        const auto writer = makeFile(m_path, manyTasks(50'000));
    }
    const auto size = std::filesystem::file_size(m_path);
    {
        // The middle of the file becomes noise: header and first rows are whole.
        std::fstream file(m_path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(size / 2));
        file.write(std::string(200'000, '\x5a').data(), 200'000);
    }
    Session session(std::make_unique<RunFileSource>(m_path), m_clock);
    session.start();
    QTRY_COMPARE(session.connection().state, ConnectionState::Refused);
    QVERIFY2(session.connection().reason.contains(QStringLiteral("run.tasuki")),
             qPrintable(session.connection().reason));
    // What is whole is shown.
    QTRY_VERIFY(session.eventsApplied() > 0);
    QVERIFY(session.eventsApplied() < 50'001);
    // Cut short, it is noticed when it is opened.
    std::filesystem::resize_file(m_path, size / 2);
    Session other(std::make_unique<RunFileSource>(m_path), m_clock);
    other.start();
    QTRY_COMPARE(other.connection().state, ConnectionState::Refused);
    QVERIFY(!other.connection().reason.isEmpty());
}

void TestRunFileSource::restarts()
{
    const auto events = RandomHistory(9).more(3'000);
    {
        const auto writer = makeFile(m_path, events);
    }
    Session session(std::make_unique<RunFileSource>(m_path), m_clock);
    int resets = 0;
    connect(&session, &Session::wasReset, this, [&] { ++resets; });
    session.start();
    QTRY_COMPARE(session.eventsApplied(), std::uint64_t(3'000));
    session.reload();
    QTRY_COMPARE(resets, 1);
    QTRY_COMPARE(session.eventsApplied(), std::uint64_t(3'000));
    QVERIFY(sameState(session.state(), stateOf(events)));
}

void TestRunFileSource::outputs()
{
    History history;
    history.add(RunOpened{}).addTask("x");
    AttemptResult result;
    result.outcome = Outcome::Succeeded;
    result.standardOutput = {.head = "head", .tail = "tail", .totalBytes = 100};
    result.standardError = {.head = "oops", .tail = {}, .totalBytes = 4};
    history.add(AttemptFinished{.key = {TaskId(0), AttemptNumber(1)},
                                .rank = Rank(0),
                                .slot = SlotIndex(0),
                                .disposition = Disposition::Final,
                                .result = result});
    const auto writer = makeFile(m_path, history.events());
    Session session(std::make_unique<RunFileSource>(m_path), m_clock);
    session.start();
    QTRY_COMPARE(session.eventsApplied(), std::uint64_t(3));

    const auto ask = [&](OutputQuery query) { return answerOf(session, query); };
    const AttemptKey key{TaskId(0), AttemptNumber(1)};
    auto first = ask({.key = key});
    QVERIFY(first.ok());
    QVERIFY(first->known);
    QVERIFY(!first->running);
    QCOMPARE(first->standardOutput, (OutputPiece{.offset = 0, .bytes = "head", .totalBytes = 100}));
    QCOMPARE(first->standardError, (OutputPiece{.offset = 0, .bytes = "oops", .totalBytes = 4}));
    auto second = ask({.key = key, .standardOutputFrom = 4, .standardErrorFrom = 2});
    QCOMPARE(second->standardOutput,
             (OutputPiece{.offset = 96, .bytes = "tail", .totalBytes = 100}));
    QCOMPARE(second->standardError, (OutputPiece{.offset = 2, .bytes = "ps", .totalBytes = 4}));
    auto last = ask({.key = key, .standardOutputFrom = 100, .standardErrorFrom = 400});
    QCOMPARE(last->standardOutput, (OutputPiece{.offset = 100, .bytes = "", .totalBytes = 100}));
    QCOMPARE(last->standardError, (OutputPiece{.offset = 4, .bytes = "", .totalBytes = 4}));
    auto unknown = ask({.key = {TaskId(0), AttemptNumber(2)}});
    QVERIFY(unknown.ok());
    QVERIFY(!unknown->known);
}

void TestRunFileSource::takesNoCommands()
{
    const auto writer = makeFile(m_path, manyTasks(1));
    int answers = 0;
    {
        Session session(std::make_unique<RunFileSource>(m_path), m_clock);
        session.start();
        session.sendCommand(StopRun{}, [&](const Result<CommandAnswer>& answer) {
            QVERIFY(!answer.ok());
            ++answers;
        });
        QCOMPARE(answers, 0); // never within the call
        QTRY_COMPARE(answers, 1);
        session.sendCommand(StopRun{}, [&](const Result<CommandAnswer>&) { ++answers; });
    }
    QCOMPARE(answers, 2); // also when the session ends
}

void TestRunFileSource::closedWhileItReads()
{
    {
        const auto writer = makeFile(m_path, manyTasks(100'000));
    }
    for (const std::uint64_t events : {0, 1, 5'000, 20'000, 50'000}) {
        Session session(std::make_unique<RunFileSource>(m_path), m_clock);
        QSignalSpy changed(&session, &Session::changed);
        session.start();
        while (session.eventsApplied() < events)
            QVERIFY(changed.wait(40'000));
    }
}

QTEST_GUILESS_MAIN(TestRunFileSource)

} // namespace tst_runfilesource

#include "tst_runfilesource.moc"
