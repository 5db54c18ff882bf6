// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "wire/handshake.h"

#include <set>
#include <string>

namespace tst_handshake {

using namespace tasuki;
using namespace tasuki::link;

namespace {

using ServerNext = ServerHandshake::Step::Next;
using ClientNext = ClientHandshake::Step::Next;

const RunId ourRun{"00112233445566778899aabbccddeeff"};

/// Parameters of both sides that fit each other.
struct Pair {
    ServerHandshake::Parameters server{.token = randomSecret(),
                                       .nonce = randomSecret(),
                                       .run = ourRun,
                                       .programVersion = "0.1.0",
                                       .protocol = {}};
    ClientHandshake::Parameters client{.token = server.token,
                                       .nonce = randomSecret(),
                                       .run = {},
                                       .programVersion = "0.1.1",
                                       .operatorName = "alice@desk",
                                       .protocol = {}};
};

Welcome welcomeTo(const std::string& run)
{
    Welcome welcome;
    welcome.run.hex = run;
    return welcome;
}

/// How both sides end when nobody stands between them.
struct Ending {
    std::string server; ///< "done" or the error's text
    std::string client;
    bool operator==(const Ending&) const = default;
};

template <class Step>
std::string words(const Step& step)
{
    switch (step.next) {
    case Step::Next::Done: return "done";
    case Step::Next::Wait: return "waits";
    case Step::Next::Failed: return step.error ? step.error->text() : "failed without a word";
    }
    return {};
}

Ending meet(const Pair& pair)
{
    ServerHandshake server(pair.server);
    ClientHandshake client(pair.client);
    auto answer = server.receive(client.start());
    if (!answer.send)
        return {words(answer), "silence"};
    auto proof = client.receive(*answer.send);
    if (!proof.send)
        return {words(answer), words(proof)};
    auto verdict = server.receive(*proof.send);
    if (verdict.next == ServerNext::Done)
        return {words(verdict), words(client.receive(welcomeTo(pair.server.run.hex)))};
    return {words(verdict), verdict.send ? words(client.receive(*verdict.send)) : "silence"};
}

ClientMessage helloOf(const Pair& pair) { return ClientHandshake(pair.client).start(); }

std::string ownVersion()
{
    return std::to_string(protocolVersion.major) + '.' + std::to_string(protocolVersion.minor);
}

} // namespace

/// The handshake by its table, and by what an attacker could try: hand a proof back, hand one on,
/// change what was said.
class TestHandshake : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothKnowTheToken();
    void wrongTokenIsNoticedByTheWindow();
    void wrongProofIsRefused();
    void otherMajorVersionIsOneReadableError();
    void otherMinorVersionIsFine();
    void wantedRunMustBeTheAgents();
    void proofOfAnEarlierSessionIsRefused();
    void reflectedProofIsRefused();
    void changedHelloIsNoticed();
    void proofsDiffer();
    void misplacedMessagesEndIt_data();
    void misplacedMessagesEndIt();
    void nothingAfterTheEnd();
    void windowRefusesAnImpostor();
    void windowTellsTheReason();
    void secretsAreRandom();
    void printableText();
};

void TestHandshake::bothKnowTheToken()
{
    Pair pair;
    QCOMPARE(meet(pair), (Ending{"done", "done"}));
    pair.client.run = ourRun.hex;
    QCOMPARE(meet(pair), (Ending{"done", "done"}));

    ServerHandshake server(pair.server);
    QVERIFY(server.receive(helloOf(pair)).send.has_value());
    QCOMPARE(server.client().operatorName, "alice@desk");
}

void TestHandshake::wrongTokenIsNoticedByTheWindow()
{
    Pair pair;
    pair.client.token = randomSecret();
    const Ending ending = meet(pair);
    QCOMPARE(ending.server, "waits");
    QVERIFY(ending.client.starts_with(
        "what answers there does not know the token of the access file; "));
}

void TestHandshake::wrongProofIsRefused()
{
    const Pair pair;
    for (std::size_t i = 0; i < 32; ++i) {
        ServerHandshake server(pair.server);
        const auto hello = std::get<ClientHello>(helloOf(pair));
        const auto answer = server.receive(hello);
        Secret proof = proofOf(Role::Client, pair.server.token, hello,
                               std::get<ServerHello>(*answer.send));
        proof.at(i) ^= 1U;
        const auto step = server.receive(ClientProof{proof});
        QVERIFY(step.next == ServerNext::Failed);
        QCOMPARE(std::get<Refused>(*step.send).reason,
                 "the window does not know the token of this agent");
    }
}

void TestHandshake::otherMajorVersionIsOneReadableError()
{
    Pair pair;
    pair.client.protocol = {2, 3};
    const std::string reason = "the agent (Tasuki 0.1.0) speaks version " + ownVersion()
        + " of the protocol, the window (Tasuki 0.1.1) version 2.3; use the same version of Tasuki "
          "for both";
    QCOMPARE(meet(pair), (Ending{"refused: " + reason, "refused by the agent: " + reason}));

    // An agent of another version that answers all the same.
    ClientHandshake client(Pair().client);
    const auto step = client.receive(
        ServerHello{.protocol = {3, 0}, .nonce = {}, .programVersion = "9", .proof = {}});
    QVERIFY(step.next == ClientNext::Failed);
    QCOMPARE(step.error->text(),
             "the agent (Tasuki 9) speaks version 3.0 of the protocol, the window (Tasuki 0.1.1) "
             "version "
                 + ownVersion() + "; use the same version of Tasuki for both");
}

void TestHandshake::otherMinorVersionIsFine()
{
    Pair pair;
    pair.client.protocol = {1, 5};
    QCOMPARE(meet(pair), (Ending{"done", "done"}));
}

void TestHandshake::wantedRunMustBeTheAgents()
{
    Pair pair;
    pair.client.run = "ffffffffffffffffffffffffffffffff";
    const std::string reason = "run ffffffffffffffffffffffffffffffff is wanted, but this agent has "
                               "run 00112233445566778899aabbccddeeff";
    QCOMPARE(meet(pair), (Ending{"refused: " + reason, "refused by the agent: " + reason}));
}

void TestHandshake::proofOfAnEarlierSessionIsRefused()
{
    const Pair pair;
    const auto hello = std::get<ClientHello>(helloOf(pair));
    ServerHandshake first(pair.server);
    const auto answer = std::get<ServerHello>(*first.receive(hello).send);
    const ClientProof proof{proofOf(Role::Client, pair.server.token, hello, answer)};
    QVERIFY(first.receive(proof).next == ServerNext::Done);

    // The same words again, in a session whose agent has drawn another nonce.
    auto parameters = pair.server;
    parameters.nonce = randomSecret();
    ServerHandshake second(parameters);
    QVERIFY(second.receive(hello).next == ServerNext::Wait);
    QVERIFY(second.receive(proof).next == ServerNext::Failed);
}

void TestHandshake::reflectedProofIsRefused()
{
    // Whoever does not know the token hands the agent's own proof back, and its nonce too.
    Pair pair;
    pair.client.nonce = pair.server.nonce;
    ServerHandshake server(pair.server);
    const auto answer = std::get<ServerHello>(*server.receive(helloOf(pair)).send);
    QVERIFY(server.receive(ClientProof{answer.proof}).next == ServerNext::Failed);
}

/// Somebody between the two changes what one says: the other's proof does not fit any more.
void TestHandshake::changedHelloIsNoticed()
{
    const Pair pair;
    const auto original = std::get<ClientHello>(helloOf(pair));
    std::vector<ClientHello> changed(5, original);
    changed[0].protocol.minor += 1;
    changed[1].nonce[31] ^= 1U;
    changed[2].programVersion += "x";
    changed[3].operatorName = "mallory@desk";
    changed[4].run = ourRun.hex;
    for (const ClientHello& hello : changed) {
        ServerHandshake server(pair.server);
        ClientHandshake client(pair.client);
        QVERIFY(client.receive(*server.receive(hello).send).next == ClientNext::Failed);
    }
    ServerHandshake server(pair.server);
    const auto answer = std::get<ServerHello>(*server.receive(original).send);
    std::vector<ServerHello> answers(3, answer);
    answers[0].protocol.minor += 1;
    answers[1].nonce[0] ^= 1U;
    answers[2].programVersion += "x";
    for (const ServerHello& hello : answers)
        QVERIFY(ClientHandshake(pair.client).receive(hello).next == ClientNext::Failed);
    QVERIFY(ClientHandshake(pair.client).receive(answer).next == ClientNext::Wait);
}

/// No two different situations yield the same proof; moving a byte between two texts is one.
void TestHandshake::proofsDiffer()
{
    const Secret token = randomSecret();
    const ClientHello client{{}, randomSecret(), "ab", "c", ""};
    const ServerHello server{{}, randomSecret(), "v", {}};
    std::set<Secret> proofs;
    proofs.insert(proofOf(Role::Agent, token, client, server));
    proofs.insert(proofOf(Role::Client, token, client, server));
    ClientHello shifted = client;
    shifted.programVersion = "a";
    shifted.operatorName = "bc";
    proofs.insert(proofOf(Role::Client, token, shifted, server));
    shifted.operatorName = "b";
    shifted.run = "c";
    proofs.insert(proofOf(Role::Client, token, shifted, server));
    proofs.insert(proofOf(Role::Client, randomSecret(), client, server));
    QCOMPARE(proofs.size(), std::size_t{5});
    QCOMPARE(proofOf(Role::Client, token, client, server),
             proofOf(Role::Client, token, client, server));
}

void TestHandshake::misplacedMessagesEndIt_data()
{
    QTest::addColumn<bool>("afterHello");
    QTest::addColumn<int>("message");
    for (int message = 0; message < 7; ++message) {
        if (message != 0)
            QTest::addRow("%d first", message) << false << message;
        if (message != 1)
            QTest::addRow("%d after hello", message) << true << message;
    }
}

void TestHandshake::misplacedMessagesEndIt()
{
    QFETCH(bool, afterHello);
    QFETCH(int, message);
    const Pair pair;
    const ClientMessage all[] = {
        helloOf(pair),   ClientProof{}, Subscribe{}, CommandRequest{1, StopRun{true}},
        OutputRequest{}, TaskRequest{}, Ping{1}};
    ServerHandshake server(pair.server);
    if (afterHello)
        QVERIFY(server.receive(helloOf(pair)).next == ServerNext::Wait);
    const auto step = server.receive(all[message]);
    QVERIFY(step.next == ServerNext::Failed);
    QVERIFY(!step.send);
    QCOMPARE(step.error->text(), "sent a message that has no place in the handshake");
}

void TestHandshake::nothingAfterTheEnd()
{
    const Pair pair;
    ServerHandshake server(pair.server);
    QVERIFY(server.receive(Ping{}).next == ServerNext::Failed);
    QVERIFY(server.receive(helloOf(pair)).next == ServerNext::Failed);
    ClientHandshake client(pair.client);
    QVERIFY(client.receive(Refused{"no"}).next == ClientNext::Failed);
    QVERIFY(client.receive(Welcome{}).next == ClientNext::Failed);
}

void TestHandshake::windowRefusesAnImpostor()
{
    // A welcome without proof, a proof of the wrong side, a proof for another window.
    const Pair pair;
    QVERIFY(ClientHandshake(pair.client).receive(Welcome{}).next == ClientNext::Failed);
    const auto hello = std::get<ClientHello>(helloOf(pair));
    ServerHello answer{.protocol = {}, .nonce = randomSecret(), .programVersion = "1", .proof = {}};
    answer.proof = proofOf(Role::Client, pair.client.token, hello, answer);
    QVERIFY(ClientHandshake(pair.client).receive(answer).next == ClientNext::Failed);
    ClientHello other = hello;
    other.nonce = randomSecret();
    answer.proof = proofOf(Role::Agent, pair.client.token, other, answer);
    QVERIFY(ClientHandshake(pair.client).receive(answer).next == ClientNext::Failed);

    // An agent that lets it in to another run than the one that is wanted.
    auto parameters = pair.client;
    parameters.run = ourRun.hex;
    ClientHandshake client(parameters);
    answer.proof = proofOf(Role::Agent, parameters.token, std::get<ClientHello>(client.start()),
                           answer);
    QVERIFY(client.receive(answer).next == ClientNext::Wait);
    QVERIFY(client.receive(welcomeTo("ffffffffffffffffffffffffffffffff")).next
            == ClientNext::Failed);
}

void TestHandshake::windowTellsTheReason()
{
    const auto step = ClientHandshake(Pair().client).receive(Refused{"full\x1b[2J\nnow"});
    QCOMPARE(step.error->text(), "refused by the agent: full\\x1b[2J\\x0anow");
    QVERIFY(step.error->kind == ErrorKind::Protocol);
}

void TestHandshake::secretsAreRandom()
{
    std::set<Secret> secrets;
    for (int i = 0; i < 100; ++i)
        secrets.insert(randomSecret());
    QCOMPARE(secrets.size(), std::size_t{100});
}

void TestHandshake::printableText()
{
    QCOMPARE(printable("plain \u00e9", 100), "plain \u00e9");
    QCOMPARE(printable(std::string("a\0b\x7f\xc2\x9b~", 7), 100), "a\\x00b\\x7f\\x9b~");
    QCOMPARE(printable("abcdef", 3), "abc...");
    QCOMPARE(printable("ab\u00e9", 3), "ab...");
    QCOMPARE(printable("\xc2", 3), "\xc2");
}

QTEST_APPLESS_MAIN(TestHandshake)

} // namespace tst_handshake

#include "tst_handshake.moc"
