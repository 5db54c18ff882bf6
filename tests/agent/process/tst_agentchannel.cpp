// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentend.h"

#include <QTest>

#include <string>

namespace tst_agentchannel {

using namespace tasuki;
using namespace tasuki::guardian;

namespace {

/// @return the events that the channel is to be told of
std::uint32_t eventsOf(AgentEnd& end)
{
    epoll_event event{};
    return ::epoll_wait(end.epoll.get(), &event, 1, 0) == 1 ? event.events : 0U;
}

} // namespace

/// What breaks it: a report that is never written, or for which a wake-up is spent that could wait; a full
/// socket that stops the guardian; an agent whose end goes unnoticed.
class TestAgentChannel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesCommandsInOrder()
    {
        AgentEnd end;
        QVERIFY(!end.channel.receive()); // nothing is there
        end.send(ForgetSettings{3});
        end.send(KeepAlive{});
        QVERIFY(end.channel.receive());
        auto first = end.channel.next();
        QVERIFY(first && *first);
        QVERIFY(**first == Command(ForgetSettings{3}));
        auto second = end.channel.next();
        QVERIFY(second && *second);
        QVERIFY(std::holds_alternative<KeepAlive>(**second));
        auto none = end.channel.next();
        QVERIFY(none && !*none);
    }

    void refusesWhatIsNoCommand()
    {
        AgentEnd end;
        const std::string frame("\x01\0\0\0\xff", 5);
        QCOMPARE(::send(end.own.get(), frame.data(), frame.size(), 0), ssize_t{5});
        QVERIFY(end.channel.receive());
        const auto command = end.channel.next();
        QVERIFY(!command);
        QVERIFY(command.error().kind == ErrorKind::Protocol);
    }

    void reportsGoOutTogether()
    {
        AgentEnd end;
        QVERIFY(end.channel.watch(end.epoll.get(), 7));
        end.channel.report(Alive{}, AgentChannel::Urgency::CanWait);
        QVERIFY(!end.channel.flushIsDue());
        end.channel.flushIfDue();
        QVERIFY(!end.receive());
        end.channel.report(AllStopped{4}, AgentChannel::Urgency::Now);
        end.channel.report(Alive{}, AgentChannel::Urgency::CanWait);
        QVERIFY(end.channel.flushIsDue());
        end.channel.flushIfDue();
        QVERIFY(!end.channel.flushIsDue());
        QVERIFY(end.receive() == std::optional<Report>(Alive{}));
        QVERIFY(end.receive() == std::optional<Report>(AllStopped{4}));
        QVERIFY(end.receive() == std::optional<Report>(Alive{}));
    }

    void aFullSocketIsWatchedUntilThereIsRoom()
    {
        AgentEnd end;
        QVERIFY(end.channel.watch(end.epoll.get(), 7));
        AttemptResult result;
        result.standardOutput = {
            .head = std::string(1U << 20U, 'x'), .tail = {}, .totalBytes = 1U << 20U};
        int queued = 0;
        do { // much more than a socket takes
            end.channel.report(Finished{{TaskId(0), AttemptNumber(1)}, result},
                               AgentChannel::Urgency::Now);
        } while (++queued < 16);
        end.channel.flushIfDue();
        QCOMPARE(eventsOf(end) & EPOLLOUT, 0U);
        int read = 0;
        for (int tries = 0; read < queued && tries < 100'000; ++tries) {
            if (end.receive())
                ++read;
            if ((eventsOf(end) & EPOLLOUT) != 0) {
                end.channel.hurry();
                end.channel.flushIfDue();
            }
        }
        QCOMPARE(read, queued);
        QCOMPARE(eventsOf(end) & EPOLLOUT, 0U); // there is room, and nobody is told of it
    }

    void noticesThatTheAgentIsGone()
    {
        AgentEnd end;
        QVERIFY(!end.channel.isClosed());
        end.own.reset();
        QVERIFY(!end.channel.receive());
        QVERIFY(end.channel.isClosed());
    }
};

QTEST_APPLESS_MAIN(TestAgentChannel)

} // namespace tst_agentchannel

#include "tst_agentchannel.moc"
