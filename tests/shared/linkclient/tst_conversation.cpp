// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkclient/conversation.h"
#include "wire/linkcodec.h"

namespace tst_conversation {

using namespace std::chrono_literals;
using namespace tasuki;

namespace {

constexpr AgentTiming timing{.ping = 1000ms, .silence = 5000ms};

/// An agent at the other end, which says what a test wants.
struct Agent {
    link::AccessFile access;
    SteadyTime now{};
    std::optional<link::ServerHandshake> handshake;
    link::FrameDecoder decoder;

    Agent()
    {
        access.run = RunId::random();
        access.token = link::randomSecret();
        handshake.emplace(link::ServerHandshake::Parameters{.token = access.token,
                                                            .nonce = link::randomSecret(),
                                                            .run = access.run,
                                                            .programVersion = "1",
                                                            .protocol = {}});
    }

    static std::string bytesOf(const link::AgentMessage& message)
    {
        return link::frame(link::encode(message)).value();
    }

    /// What it has been sent.
    std::vector<link::ClientMessage> heard(Conversation& conversation)
    {
        std::vector<link::ClientMessage> messages;
        decoder.feed(conversation.takeOutgoing());
        for (auto payload = decoder.next(); payload && *payload; payload = decoder.next())
            messages.push_back(link::decodeClientMessage(**payload).value());
        return messages;
    }

    void say(Conversation& conversation, const link::AgentMessage& message) const
    {
        // However the bytes come.
        for (const char byte : bytesOf(message))
            conversation.feed({&byte, 1}, now);
    }

    /// Up to Welcome, of this run.
    std::optional<Conversation::Said> greet(Conversation& conversation, const RunId& run)
    {
        for (int step = 0; step < 2; ++step) {
            for (const auto& message : heard(conversation))
                if (const auto answer = handshake->receive(message); answer.send)
                    say(conversation, *answer.send);
            if (auto said = conversation.next(now))
                return said;
        }
        say(conversation, link::Welcome{.run = run});
        return conversation.next(now);
    }
};

Conversation::Cause causeOf(const std::optional<Conversation::Said>& said)
{
    if (!said || !std::holds_alternative<Conversation::End>(*said))
        qFatal("it has not ended");
    return std::get<Conversation::End>(*said).cause;
}

} // namespace

/// What breaks it: an agent that is believed before it has proved itself, or that is thought silent while nobody listens.
class TestConversation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messagesComeAndGo()
    {
        Agent agent;
        Conversation conversation(agent.access, "me@host", timing);
        QVERIFY(!conversation.isIn());
        const auto welcome = agent.greet(conversation, agent.access.run);
        QVERIFY(welcome && std::holds_alternative<link::Welcome>(*welcome) && conversation.isIn());
        QCOMPARE(agent.handshake->client().operatorName, std::string("me@host"));
        QVERIFY(!conversation.next(agent.now));
        agent.say(conversation, link::Gap{});
        agent.say(conversation, link::Bye{"enough"});
        const auto gap = conversation.next(agent.now);
        QVERIFY(gap && std::holds_alternative<link::Gap>(std::get<link::AgentMessage>(*gap)));
        const auto bye = conversation.next(agent.now);
        QVERIFY(bye && std::holds_alternative<link::Bye>(std::get<link::AgentMessage>(*bye)));
        QVERIFY(conversation.send(link::PlanCancel{.number = 7}).ok());
        const auto heard = agent.heard(conversation);
        QCOMPARE(heard.size(), std::size_t{1});
        QVERIFY(std::get<link::PlanCancel>(heard[0]).number == 7);
    }

    void signsOfLife()
    {
        Agent agent;
        Conversation conversation(agent.access, "me@host", timing);
        QVERIFY(!conversation.beat(agent.now, true));
        QVERIFY(agent.greet(conversation, agent.access.run));
        agent.heard(conversation);
        for (int second = 1; second <= 5; ++second)
            QVERIFY(!conversation.beat(agent.now + second * 1s, true));
        QCOMPARE(agent.heard(conversation).size(), std::size_t{5});
        // Who does not listen says nothing, and hears no silence.
        for (int second = 6; second <= 20; ++second)
            QVERIFY(!conversation.beat(agent.now + second * 1s, false));
        QVERIFY(agent.heard(conversation).empty());
        conversation.heardAgain(agent.now + 20s);
        for (int second = 21; second <= 25; ++second)
            QVERIFY(!conversation.beat(agent.now + second * 1s, true));
        const auto silent = conversation.beat(agent.now + 26s, true);
        QVERIFY(silent && silent->cause == Conversation::Cause::Silent);
    }

    void ends()
    {
        using Cause = Conversation::Cause;
        {
            Agent agent;
            Conversation conversation(agent.access, "me@host", timing);
            QCOMPARE(causeOf(agent.greet(conversation, RunId::random())), Cause::Refused);
        }
        {
            Agent agent;
            link::AccessFile wrong = agent.access;
            wrong.token = link::randomSecret();
            Conversation conversation(wrong, "me@host", timing);
            QCOMPARE(causeOf(agent.greet(conversation, wrong.run)), Cause::Refused);
        }
        {
            const Agent agent;
            Conversation conversation(agent.access, "me@host", timing);
            agent.say(conversation, link::Bye{"over"});
            QCOMPARE(causeOf(conversation.next(agent.now)), Cause::Bye);
        }
        {
            Agent agent;
            Conversation conversation(agent.access, "me@host", timing);
            QVERIFY(agent.greet(conversation, agent.access.run));
            agent.say(conversation, link::Welcome{.run = agent.access.run});
            QCOMPARE(causeOf(conversation.next(agent.now)), Cause::Greeted);
        }
        {
            const Agent agent;
            Conversation conversation(agent.access, "me@host", timing);
            conversation.feed(std::string(100, '\xff'), agent.now);
            QCOMPARE(causeOf(conversation.next(agent.now)), Cause::NoSense);
        }
    }
};

QTEST_APPLESS_MAIN(TestConversation)

} // namespace tst_conversation

#include "tst_conversation.moc"
