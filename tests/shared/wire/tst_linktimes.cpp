// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "domain/timerange.h"
#include "link.pb.h"
#include "wire/linkcodec.h"

#include <limits>

namespace tst_linktimes {

using namespace tasuki;
using namespace tasuki::link;
namespace w = tasuki::wire::link;

namespace {

template <class Change>
QByteArray refusal(Change change)
{
    w::AgentMessage message;
    w::Event& event = *message.mutable_events()->add_events();
    change(message, event);
    const auto decoded = decodeAgentMessage(message.SerializeAsString());
    if (decoded)
        return "accepted";
    return decoded.error().kind == ErrorKind::Protocol
        ? QByteArray::fromStdString(decoded.error().message)
        : "wrong kind";
}

} // namespace

class TestLinkTimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areRefusedOutOfRange();
};

/// Nobody behind the codec reckons with times at the ends of 64 bits.
void TestLinkTimes::areRefusedOutOfRange()
{
    using M = w::AgentMessage;
    using E = w::Event;
    const QByteArray time = QByteArray("malformed message: ") + unbelievableTime;
    const QByteArray duration = QByteArray("malformed message: ") + unbelievableDuration;
    const std::int64_t end = endOfTimes.time_since_epoch().count();
    for (const std::int64_t wrong :
         {std::int64_t{-1}, end, std::numeric_limits<std::int64_t>::max(),
          std::numeric_limits<std::int64_t>::min()}) {
        const auto onlyTime = [&](auto set) {
            return refusal([&](M&, E& e) {
                e.mutable_task_held();
                set(e);
            });
        };
        QCOMPARE(onlyTime([&](E& e) { e.set_wall_us(wrong); }), time);
        QCOMPARE(onlyTime([&](E& e) { e.mutable_attempt_started()->set_started_us(wrong); }), time);
        QCOMPARE(onlyTime([&](E& e) { e.mutable_attempt_finished()->set_started_us(wrong); }),
                 time);
        QCOMPARE(onlyTime([&](E& e) { e.mutable_health_changed()->set_lost_us(wrong); }), time);
        QCOMPARE(onlyTime([&](E& e) { e.mutable_alarm_acknowledged()->set_until_us(wrong); }),
                 time);
        const auto status = [&](M& m, E&) { m.mutable_status()->set_now_us(wrong); };
        QCOMPARE(refusal(status), time);
        const auto welcome = [&](M& m, E&) { m.mutable_welcome()->set_now_us(wrong); };
        QCOMPARE(refusal(welcome), time);
        w::ClientMessage command;
        command.mutable_command()->mutable_acknowledge()->set_until_us(wrong);
        QVERIFY(!decodeClientMessage(command.SerializeAsString()).ok());
    }
    const std::int64_t tooLong = longestTime.count() + 1;
    for (const std::int64_t wrong :
         {std::int64_t{-1}, tooLong, std::numeric_limits<std::int64_t>::max()}) {
        QCOMPARE(refusal([&](M&, E& e) { e.mutable_attempt_finished()->set_elapsed_us(wrong); }),
                 duration);
        QCOMPARE(refusal([&](M&, E& e) { e.mutable_attempt_finished()->set_system_us(wrong); }),
                 duration);
        QCOMPARE(refusal([&](M&, E& e) { e.mutable_run_closed()->set_elapsed_us(wrong); }),
                 duration);
        QCOMPARE(refusal([&](M&, E& e) { e.mutable_system_laid_out()->set_heartbeat_ms(wrong); }),
                 duration);
    }
    QCOMPARE(refusal([&](M&, E& e) { e.mutable_seat_taken()->set_takeover_us(tooLong); }),
             duration);
    QCOMPARE(refusal([&](M&, E& e) {
                 e.mutable_task_held();
                 e.set_monotonic_ns(std::numeric_limits<std::int64_t>::max());
             }),
             duration);
}

QTEST_APPLESS_MAIN(TestLinkTimes)

} // namespace tst_linktimes

#include "tst_linktimes.moc"
