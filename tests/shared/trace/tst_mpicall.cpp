// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>
#include <QtTest>

#include "trace/mpicall.h"

#include <string>

namespace tst_mpicall {

using namespace tasuki::trace;

/// How calls are known by the names that logs give their states.
class MpiCallTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsNames_data();
    void knowsNames();
    void namesAndKnowsAll();
    void knowsBeginAndEnd();
    void knowsCollectives();
};

void MpiCallTest::knowsNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("call");
    const auto row = [](const char* name, MpiCall call) {
        QTest::newRow(*name == '\0' ? "nothing" : name) << QString(name) << static_cast<int>(call);
    };
    row("MPI_Send", MpiCall::Send);
    row("SEND", MpiCall::Send);
    row("mpi_sendrecv", MpiCall::Sendrecv);
    row("RECV", MpiCall::Recv);
    row("WaitAll", MpiCall::Waitall);
    row("MPI_Wait", MpiCall::Wait);
    row("BARRIER", MpiCall::Barrier);
    row("MPI_Alltoallv", MpiCall::Alltoall);
    row("mpi_bsend", MpiCall::Send);
    row("MPI_Waitany", MpiCall::Wait);
    row("MPI_Comm_split", MpiCall::Passing);
    row("Comm_split", MpiCall::Passing);
    row("MPI_Anything", MpiCall::Passing);
    row("MPI_Win_fence", MpiCall::Passing);
    row("MPI_File_get_size", MpiCall::Passing);
    row("MPI_Type_commit", MpiCall::Other);
    row("MPI_Comm_rank", MpiCall::Other);
    row("MPI_Pack", MpiCall::Other);
    row("MPI_Request_get_status", MpiCall::Probe);
    row("MPI_Init_thread", MpiCall::Passing);
    row("TRACER_SPILL", MpiCall::Passing);
    row("TRACER_OFF", MpiCall::Unlogged);
    row("tracer_off", MpiCall::Unlogged);
    row("MPI_TRACER_OFF", MpiCall::Passing);
    row("TRACER", MpiCall::Other);
    row("Anything", MpiCall::Other);
    row("Sends", MpiCall::Other);
    row("MPI_", MpiCall::Other);
    row("MPI", MpiCall::Other);
    row("", MpiCall::Other);
    row("other", MpiCall::Other);
}

void MpiCallTest::knowsNames()
{
    QFETCH(QString, name);
    QFETCH(int, call);
    QCOMPARE(static_cast<int>(mpiCallNamed(name.toStdString())), call);
}

void MpiCallTest::namesAndKnowsAll()
{
    for (int number = 1; number <= static_cast<int>(MpiCall::Scan); ++number) {
        const auto call = static_cast<MpiCall>(number);
        const std::string name(mpiCallName(call));
        QVERIFY2(name.starts_with("MPI_"), name.c_str());
        QCOMPARE(static_cast<int>(mpiCallNamed(name)), number);
        QCOMPARE(static_cast<int>(mpiCallNamed(name.substr(4))), number);
    }
    QCOMPARE(QString::fromStdString(std::string(mpiCallName(MpiCall::Other))), QString("other"));
    const std::string unlogged(mpiCallName(MpiCall::Unlogged));
    QCOMPARE(mpiCallNamed(unlogged), MpiCall::Unlogged);
}

void MpiCallTest::knowsBeginAndEnd()
{
    for (const char* name : {"INIT", "MPI_Init", "MPI_INIT_THREAD"}) {
        QVERIFY2(isMpiInit(name), name);
        QVERIFY2(!isMpiFinalize(name), name);
    }
    for (const char* name : {"FINALIZE", "MPI_Finalize"}) {
        QVERIFY2(isMpiFinalize(name), name);
        QVERIFY2(!isMpiInit(name), name);
    }
    for (const char* name : {"", "MPI_", "MPI_Initialized", "MPI_Finalized", "SEND"})
        QVERIFY2(!isMpiInit(name) && !isMpiFinalize(name), name);
}

void MpiCallTest::knowsCollectives()
{
    QVERIFY(isCollective(MpiCall::Barrier));
    QVERIFY(isCollective(MpiCall::Allgather));
    QVERIFY(isCollective(MpiCall::Alltoall));
    QVERIFY(!isCollective(MpiCall::Waitall));
    QVERIFY(!isCollective(MpiCall::Unlogged));
    QVERIFY(!isCollective(MpiCall::Other));
}

QTEST_APPLESS_MAIN(MpiCallTest)

} // namespace tst_mpicall

#include "tst_mpicall.moc"
