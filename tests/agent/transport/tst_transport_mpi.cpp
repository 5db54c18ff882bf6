// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance cases over MPI, one processor a process. Rank 0 reports; a failure of any rank
// fails all of them.
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "conformance.h"
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <cstdio>
#include <memory>
#include <mpi.h>
#include <thread>

using namespace tasuki;

namespace {

class MpiFixture final : public conformance::Fixture {
public:
    MpiFixture(MpiRuntime& runtime, const MpiLimits& limits)
        : m_runtime(runtime), m_transport(runtime, limits)
    {}

    std::vector<Transport*> local() override { return {&m_transport}; }
    void step() override
    {
        if (!m_transport.poll())
            std::this_thread::yield();
    }
    // Collectives are allowed here, in the middle of traffic, because no processor of this test
    // dies. Polls meanwhile, because others may still wait for this one to take something; the
    // second step, without polling, keeps what the others send next out of this case.
    bool agree(bool passed) override
    {
        const int mine = passed ? 1 : 0;
        int all = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD, &request);
        for (int done = 0; done == 0; step())
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return m_runtime.agreeAllReady(true) && all != 0;
    }
    void meet() override { static_cast<void>(m_runtime.agreeAllReady(true)); }

private:
    MpiRuntime& m_runtime;
    MpiTransport m_transport;
};

/// Every message in many parts, every queue in use, every poll cut short.
MpiLimits tightLimits()
{
    MpiLimits limits;
    limits.sendsPerPeer = 2;
    limits.partBytes = 30'000;
    limits.batchedBytes = 30;
    limits.batchMessages = 5;
    limits.batchBytes = 100;
    limits.messagesPerPoll = 3;
    limits.bytesPerPoll = 50'000;
    limits.sendsPerPoll = 3;
    return limits;
}

} // namespace

class TransportMpiTest : public QObject {
    Q_OBJECT

public:
    explicit TransportMpiTest(MpiRuntime& runtime) : m_runtime(runtime) {}

private Q_SLOTS:
    void knowsTheLaunch();
    void agreesOnReadiness();
    void broadcasts();
    void gathers();
    void conforms_data();
    void conforms();

private:
    MpiRuntime& m_runtime;
};

void TransportMpiTest::knowsTheLaunch()
{
    const bool good = m_runtime.size() >= 1 && m_runtime.self().value() < m_runtime.size()
        && !m_runtime.host().empty() && !m_runtime.library().empty();
    QVERIFY(m_runtime.agreeAllReady(good));
}

void TransportMpiTest::agreesOnReadiness()
{
    const bool isLast = m_runtime.self().value() + 1 == m_runtime.size();
    const bool allButLast = m_runtime.agreeAllReady(!isLast);
    const bool all = m_runtime.agreeAllReady(true);
    QVERIFY(m_runtime.agreeAllReady(!allButLast && all));
}

void TransportMpiTest::broadcasts()
{
    const ProcessorId root(static_cast<std::uint32_t>(m_runtime.size()) - 1);
    const bool isRoot = m_runtime.self() == root;
    const std::string text = m_runtime.broadcast(isRoot ? std::string("a\0b", 3) : "other", root);
    const std::string none = m_runtime.broadcast(isRoot ? "" : "other", root);
    QVERIFY(m_runtime.agreeAllReady(text == std::string("a\0b", 3) && none.empty()));
}

void TransportMpiTest::gathers()
{
    const auto textOf = [](std::size_t number) {
        return std::string(number * 1'000, 'x') + std::to_string(number) + std::string(1, '\0');
    };
    const std::size_t self = m_runtime.self().value();
    const std::vector<std::string> all = m_runtime.gatherToAll(textOf(self));
    bool good = all.size() == m_runtime.size();
    for (std::size_t number = 0; good && number < all.size(); ++number)
        good = all[number] == textOf(number);
    const std::vector<std::string> some = m_runtime.gatherToAll(self == 0 ? "a" : "");
    good = good && some.front() == "a" && (some.size() < 2 || some.back().empty());
    QVERIFY(m_runtime.agreeAllReady(good));
}

void TransportMpiTest::conforms_data()
{
    QTest::addColumn<conformance::Case>("run");
    QTest::addColumn<bool>("tight");
    using namespace conformance;
    const auto both = [](const char* name, Case run) {
        QTest::addRow("%s", name) << run << false;
        QTest::addRow("%s, tight limits", name) << run << true;
    };
    both("order", keepsOrderPerPair);
    both("sizes", carriesEverySize);
    both("large", carriesALargeMessage);
    both("flood", survivesAFlood);
    both("self", deliversToItselfAtTheNextPoll);
    both("after sending", asksForAPollAfterSending);
    both("handler sends", sendsFromTheHandler);
    both("pending", countsWhatIsPending);
    both("much", holdsBackWhoSendsMuch);
    both("forget", forgetsAndRemembers);
    both("handler forgets", forgetsFromTheHandler);
    both("interrupted", staysInStepAfterAnInterruptedMessage);
    if (qEnvironmentVariableIsSet("TASUKI_TEST_HUGE"))
        QTest::addRow("huge") << Case(carriesAHugeMessage) << false;
}

void TransportMpiTest::conforms()
{
    QFETCH(conformance::Case, run);
    QFETCH(bool, tight);
    MpiFixture fixture(m_runtime, tight ? tightLimits() : MpiLimits{});
    const std::string error = run(fixture);
    if (!error.empty())
        std::fprintf(stderr, "rank %u, %s: %s\n", m_runtime.self().value(), QTest::currentDataTag(),
                     error.c_str());
    QVERIFY2(fixture.agree(error.empty()), error.empty() ? "on another rank" : error.c_str());
}

int main(int argc, char** argv)
{
    auto runtime = MpiRuntime::start(argc, argv);
    if (!runtime) {
        std::fprintf(stderr, "%s\n", runtime.error().text().c_str());
        return 1;
    }
    MpiRuntime& mpi = **runtime;
    QStringList arguments;
    for (int index = 0; index < argc; ++index)
        arguments << QString::fromLocal8Bit(argv[index]);
    if (mpi.self() != ProcessorId(0))
        arguments << QStringLiteral("-o") << QStringLiteral("/dev/null,txt");
    TransportMpiTest test(mpi);
    const int failed = QTest::qExec(&test, arguments);
    mpi.leave(LeaveMode::Together, failed);
    return failed;
}

#include "tst_transport_mpi.moc"
