// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkclient/connection.h"

namespace tst_connection {

using namespace tasuki;

namespace {

using S = ConnectionState;
using I = ConnectionInput;

QByteArray row(S from, I input)
{
    return QByteArray::number(static_cast<int>(from)) + " takes "
        + QByteArray::number(static_cast<int>(input));
}

} // namespace

class TestConnection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void table();
    void wholeLife();
    void whatCannotComeChangesNothing();
};

void TestConnection::table()
{
    // Columns in the order of ConnectionInput; "": cannot come.
    const std::optional<S> no;
    const std::vector<std::vector<std::optional<S>>> expected{
        {S::Connecting, S::Offline, no, no, no, no, no, no, no, no, S::Idle},
        {no, no, S::Greeting, no, no, no, S::Waiting, no, S::Refused, no, S::Idle},
        {no, no, no, S::CatchingUp, no, no, S::Waiting, no, S::Refused, S::Ended, S::Idle},
        {no, no, no, no, S::Live, S::CatchingUp, S::Waiting, no, S::Refused, S::Ended, S::Idle},
        {no, no, no, no, S::Live, S::CatchingUp, S::Waiting, no, S::Refused, S::Ended, S::Idle},
        {no, no, no, no, no, no, no, S::Connecting, S::Refused, no, S::Idle},
        {no, no, no, no, no, no, no, S::Connecting, no, no, S::Idle},
        {no, no, no, no, no, no, no, S::Connecting, no, no, S::Idle},
        {no, no, no, no, no, no, no, no, S::Refused, no, S::Idle},
    };
    QCOMPARE(expected.size(), connectionStateCount);
    for (std::size_t state = 0; state < connectionStateCount; ++state) {
        QCOMPARE(expected[state].size(), connectionInputCount);
        for (std::size_t input = 0; input < connectionInputCount; ++input) {
            const auto from = static_cast<S>(state);
            const auto with = static_cast<I>(input);
            QVERIFY2(ConnectionMachine::next(from, with) == expected[state][input],
                     row(from, with).constData());
        }
    }
}

void TestConnection::wholeLife()
{
    ConnectionMachine machine;
    const std::vector<std::pair<I, S>> life{
        {I::Open, S::Connecting},  {I::Lost, S::Waiting},        {I::Retry, S::Connecting},
        {I::Reached, S::Greeting}, {I::Welcomed, S::CatchingUp}, {I::CaughtUp, S::Live},
        {I::Gap, S::CatchingUp},   {I::CaughtUp, S::Live},       {I::Bye, S::Ended},
        {I::Retry, S::Connecting}, {I::Refuse, S::Refused},      {I::Close, S::Idle},
        {I::OpenFile, S::Offline},
    };
    for (const auto& [input, state] : life) {
        QVERIFY(machine.take(input));
        QCOMPARE(machine.state(), state);
    }
}

void TestConnection::whatCannotComeChangesNothing()
{
    ConnectionMachine machine;
    QVERIFY(machine.take(I::Open));
    QVERIFY(!machine.take(I::Welcomed));
    QCOMPARE(machine.state(), S::Connecting);
}

QTEST_APPLESS_MAIN(TestConnection)

} // namespace tst_connection

#include "tst_connection.moc"
