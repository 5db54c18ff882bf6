// SPDX-License-Identifier: GPL-3.0-or-later
//
// Traces of programs that run as ranks of a world. What breaks each test stands above it.
#include "agentprocess.h"
#include "programlog.h"
#include "tracedprogram.h"
#include "workspace.h"

#include <QTest>

namespace tst_e2e_worldtrace {

using namespace tasuki::testing;

class TestWorldTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMessageIsMatched_data();
    void everyMessageIsMatched();
};

void TestWorldTrace::everyMessageIsMatched_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("lu") << QStringList{QStringLiteral(TASUKI_LU), "--size", "60"};
    for (const char* scenario : {"blocking", "probes", "requests", "anyrequests"})
        QTest::newRow(scenario) << QStringList{QStringLiteral(TASUKI_TRACEE),
                                               QString::fromLatin1(scenario)};
}

// Fails if a message of a program is logged otherwise in a world than under mpirun, or without its other end.
void TestWorldTrace::everyMessageIsMatched()
{
    QFETCH(QStringList, words);
    const Workspace alone;
    TracedProgram traced(alone);
    traced.setProgram(words.front());
    QVERIFY2(traced.run(4, words.mid(1)) == 0, traced.story());

    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 4,
                       QStringList{"world", "--run", "r.tasuki", "--trace", "t.alog", "--"} + words)
                 == 0,
             agent.story());
    const ProgramLog log(place.path("t.alog"));
    QCOMPARE(log.problems(), QByteArray());
    const ProgramLog expected(alone.path("trace.alog"));
    QCOMPARE(listed(log.letters()), listed(expected.letters()));
    QVERIFY(!log.letters().empty());
}

QTEST_GUILESS_MAIN(TestWorldTrace)

} // namespace tst_e2e_worldtrace

#include "tst_e2e_worldtrace.moc"
