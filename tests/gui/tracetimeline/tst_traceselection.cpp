// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracemaker.h"
#include "tracetimeline/traceselection.h"

namespace tst_traceselection {

using namespace tasuki;

namespace {

using Kind = TraceItem::Kind;

QString textOf(const TraceItem& item)
{
    return item.kind == Kind::Nothing
        ? QString("-")
        : QString("%1 %2").arg(item.kind == Kind::Call ? "call" : "message").arg(item.index);
}

} // namespace

/// What breaks it: a step to the wrong side or task; from a message to the wrong end of it.
/// Each of three tasks sends (spans 0, 2, 4) from 0 to 40 us and receives (1, 3, 5) from 60 to 100 us;
/// message 0 goes from task 0 to task 1.
class TestTraceSelection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        TraceMaker maker(3);
        for (std::uint32_t task = 0; task < 3; ++task) {
            maker.call("MPI_Send", task, 0, 40);
            maker.call("MPI_Recv", task, 60, 100);
        }
        maker.message(0, 1, 20, 90);
        m_store = maker.store();
    }

    void neighbours_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("above");
        QTest::addColumn<QString>("below");
        QTest::addColumn<QString>("along");
        const auto row = [](const char* name, Kind kind, int index, const char* before,
                            const char* after, const char* above, const char* below,
                            const char* along) {
            QTest::newRow(name) << static_cast<int>(kind) << index << QString(before)
                                << QString(after) << QString(above) << QString(below)
                                << QString(along);
        };
        row("sender", Kind::Call, 0, "-", "call 1", "-", "call 2", "message 0");
        row("receiver", Kind::Call, 3, "call 2", "-", "call 1", "call 5", "message 0");
        row("another", Kind::Call, 4, "-", "call 5", "call 2", "-", "-");
        row("message", Kind::Message, 0, "call 0", "call 3", "-", "call 3", "call 3");
        row("nothing", Kind::Nothing, 0, "call 4", "call 4", "call 4", "call 4", "-");
    }
    void neighbours()
    {
        QFETCH(int, kind);
        QFETCH(int, index);
        TraceSelection selection;
        selection.set({static_cast<Kind>(kind), static_cast<std::uint32_t>(index)});
        const TraceSelection::Start start{.task = 2, .time = toNanoseconds(10.0)};
        QTEST(textOf(selection.inTask(*m_store, -1, start)), "before");
        QTEST(textOf(selection.inTask(*m_store, 1, start)), "after");
        QTEST(textOf(selection.inNextTask(*m_store, -1, start)), "above");
        QTEST(textOf(selection.inNextTask(*m_store, 1, start)), "below");
        QTEST(textOf(selection.alongMessage(*m_store)), "along");
    }

    void tasksAndTimes()
    {
        TraceSelection selection;
        QVERIFY(selection.isNothing());
        QVERIFY(!selection.task(*m_store));
        selection.set({Kind::Message, 0});
        QVERIFY(!selection.isNothing());
        QCOMPARE(selection.task(*m_store), std::optional(0U));
        const TimeWindow message = TraceSelection::timeOf(*m_store, selection.item());
        QCOMPARE(message.begin, toNanoseconds(20.0));
        QCOMPARE(message.end(), toNanoseconds(90.0));
        selection.set({Kind::Call, 5});
        QCOMPARE(selection.task(*m_store), std::optional(2U));
        QCOMPARE(TraceSelection::timeOf(*m_store, selection.item()).begin, toNanoseconds(60.0));
    }

private:
    std::shared_ptr<const TraceStore> m_store;
};

QTEST_APPLESS_MAIN(TestTraceSelection)

} // namespace tst_traceselection

#include "tst_traceselection.moc"
