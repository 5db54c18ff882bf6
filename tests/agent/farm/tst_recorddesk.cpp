// SPDX-License-Identifier: GPL-3.0-or-later
#include "deskbench.h"
#include "farm/recorddesk.h"

#include <QTest>

#include <array>
#include <csignal>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_recorddesk {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

/// How a process has ended, and what it has said.
struct Ending {
    int status = 0;
    std::string words;
};

/// @return what becomes of a process that does something
template <class Action>
Ending endingOf(Action action)
{
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0)
        return {};
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        std::signal(SIGABRT, SIG_DFL);
        ::dup2(ends[1], STDERR_FILENO);
        action();
        ::_exit(0);
    }
    ::close(ends[1]);
    Ending ending;
    std::array<char, 256> buffer{};
    for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
        ending.words.append(buffer.data(), static_cast<std::size_t>(got));
    ::close(ends[0]);
    ::waitpid(child, &ending.status, 0);
    return ending;
}

} // namespace

/// What breaks it: a report that is noted before the record has what it said; an event that cannot be true
/// and goes unnoticed; a record of this epoch that is taken for an earlier one's.
class TestRecordDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isOpenWhenTheWholeOpeningIsRecorded()
    {
        DeskBench bench;
        RecordDesk& desk = bench.master.record;
        desk.open(openingOf(1));
        QVERIFY(!desk.isOpen());
        bench.journal.commit();
        QVERIFY(desk.isOpen());
        QCOMPARE(desk.state().tasks().size(), 1U);
    }

    void nothingToOpenIsOpen()
    {
        DeskBench bench;
        QVERIFY(!bench.master.record.isOpen());
        bench.master.record.open({});
        QVERIFY(bench.master.record.isOpen());
    }

    void reportsAreNotedWhenTheyAreRecorded()
    {
        DeskBench bench;
        RecordDesk& desk = bench.master.record;
        desk.open(openingOf(1));
        desk.take({.group = GroupId(1), .teller = HeldRank{Rank(1), Incarnation(1)}, .number = 4});
        QVERIFY(desk.takeNoted().empty());
        bench.journal.commit();
        const std::vector<TakenReport> noted = desk.takeNoted();
        QCOMPARE(noted.size(), 1U);
        QCOMPARE(noted.front().number, 4U);
        QVERIFY(desk.takeNoted().empty());
        // With nothing to be recorded, at once.
        desk.take({.group = GroupId(1), .teller = HeldRank{Rank(1), Incarnation(1)}, .number = 5});
        QCOMPARE(desk.takeNoted().size(), 1U);
    }

    void tellsWhyItWasStalled()
    {
        DeskBench bench;
        RecordDesk& desk = bench.master.record;
        QVERIFY(!desk.isStalled());
        desk.stalled(Error{.kind = ErrorKind::NoSpace, .message = "no space left"});
        QVERIFY(desk.isStalled());
        QVERIFY(desk.resumed().find("no space left") != std::string::npos);
        QVERIFY(!desk.isStalled());
        QCOMPARE(desk.resumed(), std::string("no reason is known"));
    }

    void knowsARecordOfItsEpoch_data()
    {
        QTest::addColumn<quint32>("epoch");
        QTest::addColumn<bool>("goesOn");
        QTest::newRow("another master's") << 1U << true;
        QTest::newRow("of an earlier life") << 2U << false;
    }
    void knowsARecordOfItsEpoch()
    {
        QFETCH(quint32, epoch);
        QFETCH(bool, goesOn);
        DeskBench bench;
        bench.run(1);
        MemoryJournal journal(Epoch(epoch), bench.clock);
        RecordDesk desk(bench.state, journal);
        QCOMPARE(desk.goesOn(), goesOn);
        // What was recorded before is there: a report that adds nothing can be noted.
        desk.take({.group = GroupId(1), .teller = HeldRank{Rank(1), Incarnation(1)}, .number = 1});
        QCOMPARE(desk.takeNoted().size(), 1U);
    }

    void anEventThatCannotBeTrueEndsTheProcess()
    {
        DeskBench bench;
        bench.run(1);
        // The end of an attempt of a task that there is not.
        const Event event{.id = {Epoch(1), Sequence(99)},
                          .wallTime = {},
                          .monotonic = {},
                          .payload = TaskSkipped{.id = TaskId(7), .because = TaskId(8)}};
        const Ending ending = endingOf([&] { bench.master.record.committed(event); });
        QVERIFY(WIFSIGNALED(ending.status));
        QCOMPARE(WTERMSIG(ending.status), SIGABRT);
        QVERIFY2(ending.words.starts_with("tasuki: the record does not fit: "),
                 ending.words.c_str());
        QVERIFY2(ending.words.find("task 7") != std::string::npos, ending.words.c_str());
    }
};

QTEST_APPLESS_MAIN(TestRecordDesk)

} // namespace tst_recorddesk

#include "tst_recorddesk.moc"
