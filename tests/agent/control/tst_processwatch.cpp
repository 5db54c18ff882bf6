// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTest>

#include "control/processwatch.h"

#include <chrono>
#include <csignal>
#include <memory>

namespace tst_processwatch {

using namespace tasuki;
using namespace std::chrono_literals;

class tst_ProcessWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Fails if the end of a process is not noticed, or noticed before it.
    void endIsTold()
    {
        QProcess process;
        process.start("sleep", {"30"});
        QVERIFY(process.waitForStarted());
        boost::asio::io_context io;
        int ends = 0;
        const ProcessWatch watch(io, static_cast<pid_t>(process.processId()), [&] { ++ends; });
        io.run_for(50ms);
        QCOMPARE(ends, 0);
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        io.restart();
        io.run_for(5s);
        QCOMPARE(ends, 1);
        process.waitForFinished();
    }

    void processThatIsGoneAlready()
    {
        QProcess process;
        process.start("true", QStringList());
        QVERIFY(process.waitForFinished());
        boost::asio::io_context io;
        int ends = 0;
        const ProcessWatch watch(io, 999'999'999, [&] { ++ends; });
        QCOMPARE(ends, 0); // never from inside the constructor
        io.run_for(1s);
        QCOMPARE(ends, 1);
    }

    void nothingAfterDestruction()
    {
        boost::asio::io_context io;
        int ends = 0;
        std::make_unique<ProcessWatch>(io, 999'999'999, [&] { ++ends; }).reset();
        io.run_for(100ms);
        QCOMPARE(ends, 0);
    }
};

QTEST_GUILESS_MAIN(tst_ProcessWatch)

} // namespace tst_processwatch

#include "tst_processwatch.moc"
