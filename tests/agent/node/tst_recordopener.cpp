// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "node/recordopener.h"
#include "support/settled.h"

#include <deque>
#include <filesystem>
#include <optional>

namespace tst_recordopener {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

/// What a reactor does for it: runs posted functions on the thread of the test.
class Posts {
public:
    void post(std::function<void()> work)
    {
        const std::scoped_lock lock(m_mutex);
        m_works.push_back(std::move(work));
    }
    /// @return how many there were
    std::size_t runAll()
    {
        std::deque<std::function<void()>> works;
        {
            const std::scoped_lock lock(m_mutex);
            works.swap(m_works);
        }
        for (const auto& work : works)
            work();
        return works.size();
    }

private:
    std::mutex m_mutex;
    std::deque<std::function<void()>> m_works;
};

} // namespace

/// A record that is opened on a thread of its own, while the former writer may still have it.
class TestRecordOpener : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_briefing = {};
        m_briefing.epoch = Epoch(1);
        m_briefing.run = RunId::random();
        m_briefing.runFile =
            (std::filesystem::path(m_directory->path().toStdString()) / "r.tasuki").string();
        m_answers.clear();
    }
    void waitsForTheFormerWriter();
    void takesItFromWhoKeepsIt();
    void failureIsToldOnce();
    void nothingIsToldAfterTheEnd();

private:
    /// A record of a launch that has begun to work.
    RunFileWriter recorded() const
    {
        Result<RunFileWriter> file = RunFileWriter::create(m_briefing.runFile, m_briefing.run);
        if (!file)
            qFatal("%s", file.error().text().c_str());
        std::vector<Event> events;
        const auto add = [&events](EventPayload payload) {
            const Sequence next(events.size() + 1);
            events.push_back({.id = {Epoch(1), next},
                              .wallTime = {},
                              .monotonic = {},
                              .payload = std::move(payload)});
        };
        RunOpened opened;
        opened.directory = m_directory->path().toStdString();
        add(opened);
        add(SystemLaidOut{});
        add(SystemStarted{});
        if (const auto written = file->append(events); !written)
            qFatal("%s", written.error().text().c_str());
        return std::move(*file);
    }
    std::unique_ptr<RecordOpener> opener()
    {
        return std::make_unique<RecordOpener>(
            m_briefing, WallTime{},
            [this](std::function<void()> work) { m_posts.post(std::move(work)); },
            [this](Result<RunPlan> plan) { m_answers.push_back(std::move(plan)); });
    }

    bool waitForAnswer()
    {
        return QTest::qWaitFor(
            [this] {
                m_posts.runAll();
                return m_answers.size() == 1;
            },
            20'000);
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    Briefing m_briefing;
    Posts m_posts;
    std::vector<Result<RunPlan>> m_answers;
};

void TestRecordOpener::waitsForTheFormerWriter()
{
    std::optional<RunFileWriter> former(recorded());
    const auto opening = opener();
    testing::waitUntilOthersSleep();
    QCOMPARE(m_posts.runAll(), std::size_t(0)); // it is still in use
    former.reset();
    QVERIFY(waitForAnswer());
    QVERIFY2(m_answers[0].ok(), m_answers[0] ? "" : m_answers[0].error().text().c_str());
    QVERIFY(m_answers[0]->state.system().started());
}

/// It stands still, or does not know yet that it leads no more.
void TestRecordOpener::takesItFromWhoKeepsIt()
{
    RunFileWriter former = recorded();
    const auto opening = opener();
    QVERIFY(waitForAnswer());
    QVERIFY2(m_answers[0].ok(), m_answers[0] ? "" : m_answers[0].error().text().c_str());
    QCOMPARE(m_answers[0]->file.token(), (WriterToken{Epoch(1), Term(1)}));
    QCOMPARE(m_answers[0]->term, Term(1));
    const std::vector<Event> late{
        {.id = {Epoch(1), Sequence(9)}, .wallTime = {}, .monotonic = {}, .payload = Notice{}}};
    QVERIFY(!former.append(late));
    QVERIFY(former.trouble().has_value());
}

void TestRecordOpener::failureIsToldOnce()
{
    const auto opening = opener();
    QVERIFY(waitForAnswer());
    testing::waitUntilOthersSleep();
    QCOMPARE(m_posts.runAll(), std::size_t(0));
    QCOMPARE(m_answers.size(), std::size_t(1));
    QVERIFY(!m_answers[0].ok());
}

void TestRecordOpener::nothingIsToldAfterTheEnd()
{
    {
        const RunFileWriter former = recorded();
        const auto waiting = opener();
        testing::waitUntilOthersSleep();
    } // ends while it waits
    auto opening = opener();
    testing::waitUntilOthersSleep(); // it has posted
    opening.reset();
    m_posts.runAll();
    QVERIFY(m_answers.empty());
}

QTEST_GUILESS_MAIN(TestRecordOpener)

} // namespace tst_recordopener

#include "tst_recordopener.moc"
