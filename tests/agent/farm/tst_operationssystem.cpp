// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "operationsbench.h"

namespace tst_operationssystem {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

/// A master with the test as the system of processors.
struct SystemBench : OperationsBench {
    struct Order {
        OperatorCommand command;
        std::string who;
        std::function<void(Result<SystemOutcome>)> reply;
    };
    SystemBench() : SystemBench(std::make_shared<std::vector<Order>>()) {}

    std::shared_ptr<std::vector<Order>> orders;

private:
    explicit SystemBench(const std::shared_ptr<std::vector<Order>>& taken)
        : OperationsBench("echo 0\n", {}, {},
                          [taken](const OperatorCommand& command, const std::string& who,
                                  std::function<void(Result<SystemOutcome>)> reply) {
                              taken->push_back({command, who, std::move(reply)});
                          }),
          orders(taken)
    {}
};

} // namespace

/// What operators want of the system of processors, from the master's side.
class TestOperationsSystem : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void orderIsRecordedWhenItIsTaken();
    void refusalIsTold();
    void othersWaitForTheAnswer();
    void answerAfterTheEndIsIgnored();
};

void TestOperationsSystem::orderIsRecordedWhenItIsTaken()
{
    SystemBench bench;
    bench.hello(one);
    bench.settle();
    const OperatorCommand command = DrainProcessor{ProcessorId(3), true};
    const auto answered = bench.settled(command);
    QCOMPARE(bench.orders->size(), std::size_t(1));
    QVERIFY(bench.orders->front().command == command);
    QCOMPARE(bench.orders->front().who, std::string("ann"));
    QCOMPARE(answered->times, 0);
    bench.orders->front().reply(
        SystemOutcome{.events = {Notice{.severity = Severity::Warning, .text = "it is so"}},
                      .what = "drains processor 3"});
    QCOMPARE(answered->times, 0); // not before it is in the record
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(bench.notices(), (Texts{"it is so", "ann drains processor 3"}));
}

void TestOperationsSystem::refusalIsTold()
{
    SystemBench bench;
    bench.hello(one);
    bench.settle();
    const auto answered = bench.settled(StopProcessor{ProcessorId(3)});
    bench.orders->front().reply(Error{.kind = ErrorKind::Input, .message = "it is lost"});
    bench.settle();
    QVERIFY(answered->refused());
    QCOMPARE(answered->answer.reason.text(), std::string("it is lost"));
    QVERIFY(bench.notices().empty());
}

void TestOperationsSystem::othersWaitForTheAnswer()
{
    SystemBench bench;
    bench.hello(one);
    bench.settle();
    const auto first = bench.settled(PromoteProcessor{ProcessorId(3)});
    const auto second = bench.settled(ChangeRole{ProcessorId(3), ProcessorKind::Standby});
    QCOMPARE(bench.orders->size(), std::size_t(1));
    bench.orders->front().reply(SystemOutcome{.events = {}, .what = "promotes processor 3"});
    bench.settle();
    QVERIFY(first->accepted());
    QCOMPARE(bench.orders->size(), std::size_t(2));
    bench.orders->back().reply(SystemOutcome{.events = {}, .what = "makes processor 3 a standby"});
    bench.settle();
    QVERIFY(second->accepted());
}

void TestOperationsSystem::answerAfterTheEndIsIgnored()
{
    SystemBench bench;
    bench.hello(one);
    bench.settle();
    const auto answered = bench.settled(DrainProcessor{ProcessorId(3), true});
    bench.journal.stall();
    bench.master->interrupt();
    bench.master->interrupt();
    bench.say(one, Returned{{key(0)}});
    bench.settle();
    bench.master->interrupt(); // nobody waits for a record that cannot be written
    QVERIFY(answered->refused());
    const auto reply = bench.orders->front().reply;
    reply(SystemOutcome{.events = {}, .what = "drains processor 3"});
    bench.journal.recover();
    bench.settle();
    QCOMPARE(answered->times, 1);
    QVERIFY(bench.notices().empty());
}

QTEST_APPLESS_MAIN(TestOperationsSystem)

} // namespace tst_operationssystem

#include "tst_operationssystem.moc"
