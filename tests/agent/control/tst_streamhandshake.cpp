// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "control/frameseal.h"
#include "control/streamhandshake.h"

namespace tst_streamhandshake {

using namespace tasuki;
using namespace tasuki::control;
using Next = StreamHandshake::Step::Next;

namespace {

ControlIdentity identity(std::uint32_t number, std::uint32_t epoch = 1, Life life = Life(1))
{
    return {.self = ProcessorId(number), .epoch = Epoch(epoch), .life = life};
}

StreamHandshake acceptor(const ControlIdentity& self, const RunKey& key = {})
{
    return StreamHandshake::acceptor(key, self, [](ProcessorId id) { return id.value() < 10; });
}

std::string why(const StreamHandshake::Step& step)
{
    return step.error ? step.error->text() : std::string();
}

} // namespace

class tst_StreamHandshake : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothKnowEachOtherAndTheKeys()
    {
        auto one = StreamHandshake::dialer({}, identity(1, 1, Life(4)), ProcessorId(2));
        auto two = acceptor(identity(2, 1, Life(5)));
        const auto answer = two.receive(one.hello());
        QVERIFY(answer.next == Next::Wait);
        const auto proof = one.receive(answer.send);
        QVERIFY(proof.next == Next::Done);
        QVERIFY(two.receive(proof.send).next == Next::Done);
        QVERIFY((one.peer() == ControlSender{ProcessorId(2), Life(5)}));
        QVERIFY((two.peer() == ControlSender{ProcessorId(1), Life(4)}));
        QVERIFY(one.sendingKey() == two.receivingKey());
        QVERIFY(one.receivingKey() == two.sendingKey());
        QVERIFY(one.sendingKey() != one.receivingKey());
    }

    void keysDifferFromConnectionToConnection()
    {
        RunKey keys[2];
        for (RunKey& key : keys) {
            auto one = StreamHandshake::dialer({}, identity(1), ProcessorId(2));
            auto two = acceptor(identity(2));
            QVERIFY(one.receive(two.receive(one.hello()).send).next == Next::Done);
            key = one.sendingKey();
        }
        QVERIFY(keys[0] != keys[1]);
    }

    void otherKeyIsNamed()
    {
        RunKey other{};
        other[0] = std::byte{1};
        auto one = StreamHandshake::dialer({}, identity(1), ProcessorId(2));
        auto two = acceptor(identity(2), other);
        // At its first word: it gets no answer that it could work on.
        const auto refused = two.receive(one.hello());
        QVERIFY(refused.next == Next::Failed);
        QVERIFY2(why(refused).starts_with(
                     "who says to be processor 1 does not know the key of this launch"),
                 why(refused).c_str());
        // The other side is told.
        const auto told = one.receive(refused.send);
        QVERIFY(told.next == Next::Failed);
        QCOMPARE(why(told),
                 std::string("refuses: who says to be processor 1 does not know the key of this "
                             "launch"));
    }

    void dialerWithoutTheKey()
    {
        auto one = StreamHandshake::dialer({}, identity(1), ProcessorId(2));
        auto two = acceptor(identity(2));
        QVERIFY(two.receive(one.hello()).next == Next::Wait);
        const auto refused = two.receive('\3' + std::string(tagBytes, 'x'));
        QVERIFY(refused.next == Next::Failed);
        QVERIFY(why(refused).starts_with("who says to be processor 1 does not know the key"));
    }

    // Fails if an acceptor's own proof, or one for another connection, passes as a dialer's.
    void proofsAreOfTheirSideAndConnection()
    {
        auto one = StreamHandshake::dialer({}, identity(1), ProcessorId(2));
        auto two = acceptor(identity(2));
        const auto answer = two.receive(one.hello());
        auto reflected = two;
        const std::string acceptorProof = answer.send.substr(answer.send.size() - tagBytes);
        QVERIFY(reflected.receive('\3' + acceptorProof).next == Next::Failed);
        const auto proof = one.receive(answer.send);
        auto again = acceptor(identity(2));
        QVERIFY(again.receive(one.hello()).next == Next::Wait); // the same hello, replayed
        QVERIFY(again.receive(proof.send).next == Next::Failed);
        QVERIFY(two.receive(proof.send).next == Next::Done);
    }

    void othersAreRefused_data()
    {
        QTest::addColumn<uint>("from");
        QTest::addColumn<uint>("to");
        QTest::addColumn<uint>("epoch");
        QTest::addColumn<QString>("reason");
        QTest::newRow("epoch") << 1U << 2U << 9U << "is of epoch 9, not 1";
        QTest::newRow("wanted") << 1U << 3U << 1U << "wants processor 3, this is processor 2";
        QTest::newRow("unknown") << 11U << 2U << 1U << "processor 11 is not known";
    }
    void othersAreRefused()
    {
        QFETCH(uint, from);
        QFETCH(uint, to);
        QFETCH(uint, epoch);
        QFETCH(QString, reason);
        auto one = StreamHandshake::dialer({}, identity(from, epoch), ProcessorId(to));
        auto two = acceptor(identity(2));
        const auto step = two.receive(one.hello());
        QVERIFY(step.next == Next::Failed);
        QCOMPARE(QString::fromStdString(why(step)), reason);
        QVERIFY(one.receive(step.send).next == Next::Failed);
    }

    void nonsenseIsRefused()
    {
        for (const std::string& nonsense :
             {std::string(), std::string("\1"), std::string("\2"), std::string(200, '\1'),
              std::string("GET / HTTP/1.1")}) {
            auto two = acceptor(identity(2));
            QVERIFY(two.receive(nonsense).next == Next::Failed);
            auto one = StreamHandshake::dialer({}, identity(1), ProcessorId(2));
            QVERIFY(one.receive(nonsense).next == Next::Failed);
            QVERIFY(one.receive(nonsense).next == Next::Failed); // it stays over
        }
    }

    void framesAreOfTheirPlace()
    {
        FrameSealer sealer(RunKey{});
        const std::string first = sealer.seal("first");
        const std::string second = sealer.seal("second");
        const auto payload = [](const std::string& frame) { return frame.substr(4); };
        FrameOpener opener(RunKey{});
        const std::string firstPayload = payload(first);
        const auto opened = opener.open(firstPayload);
        QVERIFY(opened.ok() && *opened == "first");
        QVERIFY(!opener.open(payload(first)).ok());                 // repeated
        QVERIFY(!FrameOpener(RunKey{}).open(payload(second)).ok()); // the first is left out
        std::string damaged = payload(first);
        damaged[0] = 'F';
        QVERIFY(!FrameOpener(RunKey{}).open(damaged).ok());
        QVERIFY(!FrameOpener(RunKey{}).open("short").ok());
    }
};

QTEST_APPLESS_MAIN(tst_StreamHandshake)

} // namespace tst_streamhandshake

#include "tst_streamhandshake.moc"
