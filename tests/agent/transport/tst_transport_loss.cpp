// SPDX-License-Identifier: GPL-3.0-or-later
// A processor of an MPI launch dies or stops in the middle of traffic. What breaks this test: a
// blocking MPI call anywhere, an error handler that aborts, SIGPIPE left at its default, a leave()
// that waits for the dead.
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "support/recoverylaunch.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <algorithm>
#include <cerrno>
#include <csignal>

namespace tst_transport_loss {

namespace {

constexpr int ranks = 4;

/// mpirun with losspeer. Whatever happens, nothing of it lives longer than this object.
class Launch {
public:
    Launch(const QStringList& options, const QString& fate)
    {
        QStringList arguments = tasuki::testing::recoveryArguments(QStringLiteral(TASUKI_MPIEXEC),
                                                                   ranks);
        arguments += options;
        arguments += {QStringLiteral(TASUKI_LOSSPEER), fate};
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral(TASUKI_MPIEXEC), arguments);
    }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;
    ~Launch()
    {
        endTheDoomed();
        if (m_process.state() == QProcess::NotRunning)
            return;
        // mpirun takes its processes along when it is asked politely.
        m_process.terminate();
        if (!m_process.waitForFinished(5000))
            m_process.kill();
        m_process.waitForFinished(5000);
    }

    /// @return whether `pattern` occurred `count` times in the output in time
    bool waitFor(const QString& pattern, int count, int milliseconds)
    {
        QElapsedTimer timer;
        timer.start();
        const QRegularExpression expression(pattern);
        while (occurrences(expression) < count && timer.elapsed() < milliseconds) {
            m_process.waitForReadyRead(50);
            m_output += m_process.readAll();
            if (m_process.state() == QProcess::NotRunning)
                break;
        }
        return occurrences(expression) >= count;
    }

    bool waitForEnd(int milliseconds)
    {
        const bool ended = m_process.state() == QProcess::NotRunning
            || m_process.waitForFinished(milliseconds);
        m_output += m_process.readAll();
        return ended;
    }

    [[nodiscard]] qint64 doomedPid() const
    {
        const QList<qint64> pids = pidsOf(QStringLiteral("doomed"));
        return pids.isEmpty() ? 0 : pids.front();
    }

    /// @return whether all survivors end in time
    [[nodiscard]] bool survivorsEnd(int milliseconds) const
    {
        const QList<qint64> pids = pidsOf(QStringLiteral("recovery \\w+,"));
        const auto gone = [](qint64 pid) {
            return ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
        };
        return pids.size() == ranks - 1
            && QTest::qWaitFor([&] { return std::all_of(pids.begin(), pids.end(), gone); },
                               milliseconds);
    }

    /// A stopped process ends with SIGKILL alone. Only before mpirun has ended: its pid is then
    /// still its own.
    void endTheDoomed()
    {
        if (doomedPid() > 0 && m_process.state() != QProcess::NotRunning)
            ::kill(static_cast<pid_t>(doomedPid()), SIGKILL);
    }

    [[nodiscard]] const QByteArray& output() const { return m_output; }

private:
    /// Process ids that the output names behind `words`.
    [[nodiscard]] QList<qint64> pidsOf(const QString& words) const
    {
        QList<qint64> pids;
        auto matches = QRegularExpression(words + QStringLiteral(" pid (\\d+)"))
                           .globalMatch(QString::fromLocal8Bit(m_output));
        while (matches.hasNext())
            pids.append(matches.next().captured(1).toLongLong());
        return pids;
    }

    [[nodiscard]] int occurrences(const QRegularExpression& expression) const
    {
        int count = 0;
        auto matches = expression.globalMatch(QString::fromLocal8Bit(m_output));
        for (; matches.hasNext(); matches.next())
            ++count;
        return count;
    }

    QProcess m_process;
    QByteArray m_output;
};

} // namespace

class TransportLossTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void survivorsGoOn_data();
    void survivorsGoOn();
};

void TransportLossTest::survivorsGoOn_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("fate");
    const QStringList tcp{QStringLiteral("--mca"), QStringLiteral("btl"),
                          QStringLiteral("tcp,self")};
    QTest::newRow("killed, shared memory") << QStringList{} << QStringLiteral("killed");
    QTest::newRow("killed, TCP") << tcp << QStringLiteral("killed");
    QTest::newRow("stopped, shared memory") << QStringList{} << QStringLiteral("stopped");
    QTest::newRow("stopped, TCP") << tcp << QStringLiteral("stopped");
}

void TransportLossTest::survivorsGoOn()
{
    QFETCH(QStringList, options);
    QFETCH(QString, fate);
    Launch launch(options, fate);

    const bool exchanged = launch.waitFor(
        QStringLiteral("rank [023] exchanged 200, kept some, recovery"), ranks - 1, 30'000);
    QVERIFY2(exchanged, launch.output());
    QVERIFY(launch.doomedPid() > 0);

    // From here on the survivors leave, which must not take longer than their patience and a bit.
    if (fate == QStringLiteral("killed")) {
        // By MPI_Finalize mostly; over TCP it sometimes waits for what the dead one is to take.
        QVERIFY2(launch.waitForEnd(5'000), launch.output());
    } else {
        // MPI_Finalize waits for the stopped one: only the guard lets the survivors out. mpirun
        // itself goes on until the last of its processes has ended.
        QVERIFY2(launch.survivorsEnd(5'000), launch.output());
        launch.endTheDoomed();
        QVERIFY2(launch.waitForEnd(5'000), launch.output());
        QVERIFY2(!launch.output().contains("finalised"), launch.output());
    }
    QVERIFY2(!launch.output().contains("failed to exchange"), launch.output());
}

QTEST_GUILESS_MAIN(TransportLossTest)

} // namespace tst_transport_loss

#include "tst_transport_loss.moc"
