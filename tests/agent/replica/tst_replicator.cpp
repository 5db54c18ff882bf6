// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "copysystem.h"

#include <random>

namespace tst_replicator {

using namespace tasuki;
using namespace tasuki::replica;
using namespace std::chrono_literals;
using tasuki::testing::CopySystem;
using Presence = Peer::Presence;

namespace {

bool hasAll(const std::vector<Event>& record, const std::vector<Event>& told)
{
    return std::ranges::all_of(told, [&record](const Event& event) {
        const auto found = std::ranges::lower_bound(record, event.id, {}, &Event::id);
        return found != record.end() && *found == event;
    });
}

} // namespace

/// Masters, holders of copies and successors, on the simulated network.
class TestReplicator : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutHolderNothingWaits();
    void toldWhenBothHaveIt();
    void catchesUpWhileEventsAreTold();
    void slowHolderDelays();
    void holderThatHangsIsGivenUp();
    void lostHolderIsReplaced();
    void doubtfulHolderIsWaitedFor();
    void fullDisk();
    void fullDiskOfTheLast();
    void copyThatIsThereGoesOn();
    void strangeFileIsRefused();
    void unreadableRecord();
    void onlyWhoIsInStepSucceeds();
    void successorWaitsForAll();
    void copyCountsAllTheTime();
    void olderCopiesDoNotCount();
    void whatNobodyWasToldIsCut();
    void lateWordsChangeNothing();
    void missingRowsAreNoticed();
    void returningProcessorIsTold();
    void atTheEnd();
    void nothingToldIsLost();
};

void TestReplicator::withoutHolderNothingWaits()
{
    CopySystem system(1, {1, 2, 3});
    system.lead(0, 0);
    system.commit(3);
    QCOMPARE(system.told.size(), std::size_t{3});
    QCOMPARE(system.replicator->uncommitted(), std::size_t{0});
    system.run();
    for (const auto& copy : system.copies)
        QCOMPARE(copy->opens, 0);
}

void TestReplicator::toldWhenBothHaveIt()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    QVERIFY(system.replicator->copy() == CopySystem::placeOf(1));
    QVERIFY(system.saw("processor 1 on h1 keeps a copy of the record: /r.tasuki"));
    system.commit(3);
    QVERIFY(system.told.empty());
    QCOMPARE(system.replicator->uncommitted(), std::size_t{3});
    system.run();
    QCOMPARE(system.told.size(), std::size_t{3});
    QVERIFY(system.files[1] == system.journal->record());
    QVERIFY(system.files[2].empty()); // one is enough
}

/// What happens while the table is copied is told at once; from then on both have it first.
void TestReplicator::catchesUpWhileEventsAreTold()
{
    CopySystem system;
    for (std::uint64_t i = 1; i <= 700; ++i)
        system.files[0].push_back({.id = {Epoch(1), Sequence(i)}, .payload = Notice{}});
    system.lead(0, 0);
    system.rows->most = 20;
    std::size_t told = 0;
    for (int round = 0; round < 400 && !system.replicator->copy(); ++round) {
        system.commit(1);
        if (round < 5)
            QCOMPARE(system.told.size(), ++told);
        system.run(1ms);
    }
    QVERIFY(system.replicator->copy().has_value());
    system.run();
    QVERIFY(system.files[1] == system.journal->record());
    QCOMPARE(system.told.size() + 700, system.files[1].size());
}

void TestReplicator::slowHolderDelays()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    system.copies[1]->hangs = true;
    system.commit(2);
    system.run(9s);
    QVERIFY(system.told.empty());
    system.copies[1]->goOn();
    system.run();
    QCOMPARE(system.told.size(), std::size_t{2});
    QVERIFY(system.replicator->copy() == CopySystem::placeOf(1));
}

/// It lives, so it must know that its copy does not count any more before anybody is told more.
void TestReplicator::holderThatHangsIsGivenUp()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    QVERIFY(system.canSucceed(1));
    system.copies[1]->hangs = true;
    system.network.cut(ProcessorId(0), ProcessorId(2)); // the next one is not reached yet
    system.commit(2);
    system.run(11s);
    QVERIFY(!system.canSucceed(1));
    QCOMPARE(system.told.size(), std::size_t{2});
    QVERIFY(system.saw("has not answered for 10 s"));
    system.copies[1]->goOn(); // too late
    system.commit(1);
    system.run();
    QVERIFY(!system.canSucceed(1));
    system.network.heal(ProcessorId(0), ProcessorId(2));
}

void TestReplicator::lostHolderIsReplaced()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    for (const std::uint32_t holder : {1U, 2U}) {
        system.network.kill(ProcessorId(holder));
        system.commit(2);
        system.run();
        QCOMPARE(system.told.size(), std::size_t{2 * holder - 2});
        system.becomes(holder, Presence::Gone);
        QCOMPARE(system.told.size(), std::size_t{2 * holder});
        system.run();
        QVERIFY(system.replicator->copy() == CopySystem::placeOf(holder + 1));
        QVERIFY(system.files[holder + 1] == system.journal->record());
    }
    system.becomes(3, Presence::Gone);
    QVERIFY(system.saw("nobody is left"));
    system.commit(1);
    QCOMPARE(system.told.size(), std::size_t{5});
}

void TestReplicator::doubtfulHolderIsWaitedFor()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    system.network.pause(ProcessorId(1));
    system.commit(2);
    system.becomes(1, Presence::Doubtful);
    system.run(15s);
    QVERIFY(system.told.empty());
    system.network.resume(ProcessorId(1));
    system.becomes(1, Presence::There);
    system.run();
    QCOMPARE(system.told.size(), std::size_t{2});
    QVERIFY(system.replicator->copy() == CopySystem::placeOf(1));
    // And nobody new is chosen who is in doubt.
    CopySystem other;
    other.presence[1] = Presence::Doubtful;
    other.lead(0, 0);
    other.run();
    QVERIFY(other.replicator->copy() == CopySystem::placeOf(2));
}

void TestReplicator::fullDisk()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    system.copies[1]->unwritable = Error{.kind = ErrorKind::NoSpace, .message = "no space left"};
    system.commit(2);
    system.run();
    QCOMPARE(system.told.size(), std::size_t{2});
    QVERIFY(system.saw("processor 1 on h1 does not keep a copy of the record: no space left"));
    QVERIFY(!system.canSucceed(1));
    QVERIFY(system.replicator->copy() == CopySystem::placeOf(2));
    QVERIFY(system.files[2] == system.journal->record());
}

void TestReplicator::fullDiskOfTheLast()
{
    CopySystem system(1, {1, 2});
    system.copies[3]->unwritable = Error{.kind = ErrorKind::NoSpace, .message = "no space left"};
    system.lead(0, 0);
    system.commit(2);
    system.run();
    system.copies[3]->unwritable.reset();
    system.commit(1);
    QCOMPARE(system.told.size(), std::size_t{3});
    system.run();
    QCOMPARE(system.copies[3]->opens, 1); // it is not asked for ever
}

/// E.g. of the last launch: only what it lacks is shipped.
void TestReplicator::copyThatIsThereGoesOn()
{
    CopySystem system;
    for (std::uint64_t i = 1; i <= 100; ++i)
        system.files[0].push_back({.id = {Epoch(1), Sequence(i)}, .payload = Notice{}});
    system.files[1].assign(system.files[0].begin(), system.files[0].begin() + 60);
    system.lead(0, 0);
    system.run();
    QVERIFY(system.files[1] == system.journal->record());
    QCOMPARE(system.shipped.size(), std::size_t{40});
    QCOMPARE(system.copies[1]->cut, std::size_t{0});
}

void TestReplicator::strangeFileIsRefused()
{
    CopySystem system;
    system.files[0].push_back({.id = {Epoch(1), Sequence(1)}, .payload = Notice{}});
    system.files[1].push_back(
        {.id = {Epoch(1), Sequence(1)}, .monotonic = 1ns, .payload = Notice{}});
    system.lead(0, 0);
    system.run();
    QVERIFY(system.saw("the record of something else"));
    QCOMPARE(system.files[1].size(), std::size_t{1});
    QVERIFY(system.replicator->copy() == CopySystem::placeOf(2));
}

void TestReplicator::unreadableRecord()
{
    CopySystem system(1, {2, 3});
    system.lead(0, 0);
    system.run();
    system.rows->unreadable = Error{.message = "a bad sector"};
    system.commit(1);
    system.run();
    QCOMPARE(system.told.size(), std::size_t{1});
    QVERIFY(!system.canSucceed(1));
    QVERIFY(system.saw("a bad sector"));
}

void TestReplicator::onlyWhoIsInStepSucceeds()
{
    CopySystem system;
    for (std::uint64_t i = 1; i <= 100; ++i)
        system.files[0].push_back({.id = {Epoch(1), Sequence(i)}, .payload = Notice{}});
    system.lead(0, 0);
    system.rows->most = 1;
    system.run(3ms);
    QVERIFY(!system.files[1].empty());
    for (const std::uint32_t number : {1U, 2U, 3U})
        QVERIFY(!system.agents[number]->succession());
    system.rows->most = 1'000;
    system.run();
    QVERIFY(system.canSucceed(1));
    QVERIFY(!system.agents[2]->succession());
    CopySystem shared(1, {2});
    QVERIFY(shared.agents[2]->succession() == CopySystem::placeOf(0));
}

/// One of them may hold a copy that counts by the last master's word.
void TestReplicator::successorWaitsForAll()
{
    CopySystem system(1, {1});
    system.lead(0, 0);
    system.run();
    system.commit(2);
    system.run();
    QVERIFY(system.canSucceed(2));
    system.masterDies();
    system.network.pause(ProcessorId(2));
    system.files[1] = system.files[0]; // it reaches the original
    system.lead(1, 1);
    system.commit(1);
    system.run(2s);
    QVERIFY(!system.replicator->settled());
    QCOMPARE(system.told.size(), std::size_t{2});
    QVERIFY(system.canSucceed(2)); // should it have to
    system.network.resume(ProcessorId(2));
    system.run();
    QVERIFY(system.replicator->settled());
    QCOMPARE(system.told.size(), std::size_t{3});
    QVERIFY(system.files[2] == system.journal->record());

    // One that is gone is not waited for.
    CopySystem other(1, {1});
    other.lead(0, 0);
    other.run();
    other.masterDies();
    other.network.kill(ProcessorId(3));
    other.lead(1, 1);
    other.commit(1);
    other.run();
    QVERIFY(other.told.empty());
    other.becomes(3, Presence::Gone);
    other.run();
    QCOMPARE(other.told.size(), std::size_t{1});
}

/// A master that takes over may die at any moment, too.
void TestReplicator::copyCountsAllTheTime()
{
    CopySystem system(1, {1});
    system.lead(0, 0);
    system.commit(50);
    system.run();
    system.copies[2]->hangs = true;
    system.commit(5); // on the original alone
    system.run();
    system.masterDies();
    system.copies[2]->goOn();
    system.files[1] = system.files[0];
    system.lead(1, 1);
    system.rows->most = 1;
    for (int step = 0; step < 400; ++step) {
        system.run(200us);
        if (step % 10 == 0)
            system.commit(1);
        QVERIFY(system.canSucceed(2));
        QVERIFY(hasAll(system.files[2], system.told));
    }
    system.run();
    QVERIFY(system.replicator->copy() == CopySystem::placeOf(2));
    QCOMPARE(system.told.size(), std::size_t{90});
}

void TestReplicator::olderCopiesDoNotCount()
{
    CopySystem system(1, {1});
    system.lead(0, 0);
    system.run();
    system.masterDies();
    system.files[1] = system.files[0];
    system.fit[2] = false; // another one is to have it
    system.lead(1, 1);
    system.run();
    QVERIFY(!system.agents[2]->succession());
    QVERIFY(system.canSucceed(3));
}

/// The original has events that its holder had not stored: nobody knows of them, and others have been
/// told under their ids.
void TestReplicator::whatNobodyWasToldIsCut()
{
    CopySystem system(1, {3}); // 3 stands where the original lies
    system.lead(0, 0);
    system.run();
    system.commit(5);
    system.run();
    system.copies[1]->hangs = true;
    system.commit(3);
    system.run();
    QCOMPARE(system.told.size(), std::size_t{5});
    system.masterDies();
    system.files[3] = system.files[0];
    QCOMPARE(system.files[3].size(), std::size_t{8});
    QVERIFY(system.canSucceed(1));
    system.fit[2] = false;
    system.fit[3] = true;
    system.lead(1, 1);
    system.clock.advance(1s);
    system.commit(1);
    system.run();
    QCOMPARE(system.copies[3]->cut, std::size_t{3});
    QVERIFY(system.files[3] == system.journal->record());
    QCOMPARE(system.told.size(), std::size_t{6});
    QVERIFY(system.told == system.files[3]);
}

void TestReplicator::lateWordsChangeNothing()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    system.commit(4);
    system.run();
    const std::size_t stored = system.files[1].size();
    // Rows that come twice.
    const EventId last = system.files[1].back().id;
    const auto say = [&system](std::uint64_t conversation, decltype(CopyWord::word) word) {
        system.agents[1]->receive(
            ProcessorId(0),
            {.conversation = ConversationNumber(conversation), .word = std::move(word)});
        system.run();
    };
    say(1, Rows{{.after = {}, .last = last, .bytes = "0 1 2 3 "}});
    say(0, Rows{{.after = last, .last = {Epoch(1), Sequence(9)}, .bytes = "0 "}});
    say(0, Lead{CopySystem::placeOf(3)});
    say(0, Begin{});
    QCOMPARE(system.files[1].size(), stored);
    QVERIFY(system.canSucceed(1));
    // Answers of another conversation, of somebody else, or of what was never sent.
    system.copies[1]->hangs = true;
    system.commit(1);
    const EventId next = system.journal->record().back().id;
    system.run();
    const auto answer = [&system](std::uint32_t from, std::uint64_t conversation, EventId upTo) {
        system.replicator->receive(
            ProcessorId(from),
            {.conversation = ConversationNumber(conversation), .word = Stored{upTo}});
    };
    answer(1, 0, next);
    answer(2, 1, next);
    answer(1, 1, {Epoch(1), Sequence(99)});
    system.replicator->receive(ProcessorId(1),
                               {.conversation = ConversationNumber(1), .word = Have{}});
    system.replicator->receive(ProcessorId(1),
                               {.conversation = ConversationNumber(1), .word = Led{}});
    QCOMPARE(system.told.size(), std::size_t{4});
    answer(1, 1, next);
    QCOMPARE(system.told.size(), std::size_t{5});
}

void TestReplicator::missingRowsAreNoticed()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    system.commit(1);
    system.run();
    system.network.cut(ProcessorId(0), ProcessorId(1)); // what no transport may do
    system.commit(1);
    system.run(5ms);
    system.network.heal(ProcessorId(0), ProcessorId(1));
    system.commit(1);
    system.run();
    QVERIFY(!system.canSucceed(1));
    QVERIFY(system.saw("rows are missing on the way"));
    QCOMPARE(system.told.size(), std::size_t{3});
    QVERIFY(system.files[2] == system.journal->record());
}

/// Who was taken for dead may believe that its copy counts, or go by a record that does not any more.
void TestReplicator::returningProcessorIsTold()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    system.network.pause(ProcessorId(1));
    system.becomes(1, Presence::Gone);
    system.commit(1);
    QVERIFY(system.canSucceed(1));
    system.network.resume(ProcessorId(1));
    system.becomes(1, Presence::There);
    system.commit(1);
    QCOMPARE(system.told.size(), std::size_t{1}); // before it has answered
    system.run();
    QVERIFY(!system.canSucceed(1));
    QCOMPARE(system.told.size(), std::size_t{2});
}

void TestReplicator::atTheEnd()
{
    CopySystem system;
    system.lead(0, 0);
    system.run();
    system.replicator->append(RunClosed{});
    system.commit(0);
    system.run();
    QVERIFY(std::holds_alternative<RunClosed>(system.told.back().payload));
    QVERIFY(!system.copies[1]->discarded);
    QVERIFY(system.canSucceed(1)); // the master may die before all have left
    system.agents[1]->end();
    QVERIFY(system.copies[1]->discarded);

    CopySystem other; // whose original is lost
    other.lead(0, 0);
    other.run();
    other.masterDies();
    other.lead(1, 1);
    other.run();
    other.replicator->append(RunClosed{});
    other.commit(0);
    other.run();
    QVERIFY(other.replicator->copy() == CopySystem::placeOf(2));
    other.becomes(2, Presence::Gone); // it has left
    QVERIFY(other.replicator->copy() == CopySystem::placeOf(2));
    other.agents[2]->end();
    QVERIFY(!other.copies[2]->discarded);
}

/// Masters die, holders too, disks fill up: who can go on has all that anybody was told.
void TestReplicator::nothingToldIsLost()
{
    int successions = 0;
    int forks = 0;
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        std::mt19937 random(seed);
        CopySystem system(seed,
                          random() % 2 != 0 ? std::vector<std::uint32_t>{1U}
                                            : std::vector<std::uint32_t>{});
        system.lead(0, 0);
        std::uint32_t term = 0;
        for (int step = 0; step < 60; ++step) {
            const std::uint32_t who = random() % CopySystem::count;
            switch (random() % 12) {
            case 0: system.copies[who]->hangs = true; break;
            case 1: system.copies[who]->goOn(); break;
            case 2:
                if (who != system.master)
                    system.network.pause(ProcessorId(who));
                break;
            case 3: system.network.resume(ProcessorId(who)); break;
            case 4: system.rows->most = 1 + random() % 5; break;
            case 5:
                if (random() % 4 != 0 || who == system.master)
                    break;
                system.network.kill(ProcessorId(who));
                system.becomes(who, Presence::Gone);
                break;
            case 6: {
                if (random() % 2 != 0)
                    break;
                system.masterDies();
                const bool sees1 = system.agents[1]->succession() == CopySystem::placeOf(0);
                std::uint32_t successor = 0;
                while (successor < CopySystem::count
                       && (system.presence[successor] == Presence::Gone
                           || !(system.canSucceed(successor) || (successor == 1 && sees1))))
                    ++successor;
                if (successor == CopySystem::count) {
                    step = 1'000; // the run ends
                    break;
                }
                if (!system.canSucceed(successor))
                    system.files[successor] = system.files[0];
                QVERIFY2(hasAll(system.files[successor], system.told),
                         qPrintable(QStringLiteral("seed %1").arg(seed)));
                forks += system.files[system.master].size() > system.files[successor].size() ? 1
                                                                                             : 0;
                ++successions;
                system.network.resume(ProcessorId(successor));
                system.clock.advance(1ms);
                system.lead(successor, ++term);
                break;
            }
            default: system.commit(1 + static_cast<int>(random() % 4)); break;
            }
            system.run(std::chrono::milliseconds(random() % 4));
        }
    }
    QVERIFY2(successions > 100, qPrintable(QString::number(successions)));
    QVERIFY2(forks > 20, qPrintable(QString::number(forks)));
}

QTEST_APPLESS_MAIN(TestReplicator)

} // namespace tst_replicator

#include "tst_replicator.moc"
