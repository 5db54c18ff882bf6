// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/generator/mpiheader.h"

#include <algorithm>

namespace tst_mpiheader {

using namespace tasuki::tracer;
using Words = std::vector<std::string>;

/// What is read from an mpi.h. What breaks it: a way to declare a function that is not understood, so that
/// the tracer does not stand in for it.
class TestMpiHeader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void functionsOfOpenMpi4();
    void functionsOfOpenMpi5();
    void whatIsNoCall();
    void otherTextIsNoFunction();
    void namesOfASource();
};

// As GCC's preprocessor leaves it: attributes with texts in which anything stands.
void TestMpiHeader::functionsOfOpenMpi4()
{
    const auto functions = mpiFunctions(R"(
__attribute__((visibility("default"))) int MPI_Attr_put(MPI_Comm comm, int keyval, void *value)
            __attribute__((__deprecated__("MPI_Attr_put was deprecated; use MPI_Comm_set_attr")));
__attribute__((visibility("default"))) int PMPI_Attr_put(MPI_Comm comm, int keyval, void *value)
            __attribute__((__deprecated__("PMPI_Attr_put was deprecated; use PMPI_Comm_set_attr")));
__attribute__((visibility("default"))) int PMPI_Barrier(MPI_Comm comm);
__attribute__((visibility("default"))) int PMPI_Finalize(void);
__attribute__((visibility("default"))) int PMPI_Group_range_excl(MPI_Group group, int n,
                                         int ranges[][3], MPI_Group *newgroup);
__attribute__((visibility("default"))) int PMPI_Reduce_local(const void *inbuf, void *inoutbuf,
                         int count, MPI_Datatype datatype, MPI_Op);
__attribute__((visibility("default"))) int PMPI_Init(int *argc, char ***argv);
)");
    QCOMPARE(functions.size(), std::size_t{6});
    QCOMPARE(functions[0].name, std::string("Attr_put"));
    QVERIFY((functions[0].names == Words{"comm", "keyval", "value"}));
    QVERIFY(functions[0].isCall());
    QVERIFY((functions[1].parameters == Words{"MPI_Comm comm"}));
    QVERIFY(functions[2].parameters.empty() && functions[2].isCall());
    QVERIFY((functions[3].names == Words{"group", "n", "ranges", "newgroup"}));
    QCOMPARE(functions[3].parameters[2], std::string("int ranges[][3]"));
    QCOMPARE(functions[4].parameters[4], std::string("MPI_Op argument4"));
    QCOMPARE(functions[5].parameters[1], std::string("char ***argv"));
}

// Functions that 4.1 does not have, and parameters without names.
void TestMpiHeader::functionsOfOpenMpi5()
{
    const auto functions = mpiFunctions(R"(
extern "C" {
__attribute__((visibility("default"))) int PMPI_Session_init(MPI_Info info,
      MPI_Errhandler errhandler, MPI_Session *session);
__attribute__((visibility("default"))) int PMPI_Isendrecv(const void *, int, MPI_Datatype, int, int,
      void *, int [], unsigned int, MPI_Comm comm, MPI_Request *request);
}
)");
    QCOMPARE(functions.size(), std::size_t{2});
    QCOMPARE(functions[0].name, std::string("Session_init"));
    QCOMPARE(functions[0].result, std::string("int"));
    QVERIFY(functions[1].isCall());
    QCOMPARE(functions[1].parameters[0], std::string("const void * argument0"));
    QCOMPARE(functions[1].parameters[1], std::string("int argument1"));
    QCOMPARE(functions[1].parameters[6], std::string("int argument6 []"));
    QCOMPARE(functions[1].parameters[7], std::string("unsigned int argument7"));
    QCOMPARE(functions[1].names.back(), std::string("request"));
}

void TestMpiHeader::whatIsNoCall()
{
    const auto functions = mpiFunctions("double PMPI_Wtime(void); int PMPI_Comm_c2f(MPI_Comm comm);"
                                        "MPI_Comm PMPI_Comm_f2c(int comm);"
                                        "int PMPI_Pcontrol(const int level, ...);");
    QCOMPARE(functions.size(), std::size_t{4});
    for (const MpiFunction& function : functions)
        QVERIFY2(!function.isCall(), function.name.c_str());
    QCOMPARE(functions[0].result, std::string("double"));
    QVERIFY(functions[3].variadic);
}

void TestMpiHeader::otherTextIsNoFunction()
{
    QVERIFY(mpiFunctions("").empty());
    QVERIFY(
        mpiFunctions("int MPI_Send(int a); int XPMPI_Send(int a); typedef int PMPI_Type;").empty());
    QVERIFY(mpiFunctions("int PMPI_Send(int a").empty());
    QCOMPARE(mpiFunctions("int PMPI_Send(int a); int PMPI_Send(int a);").size(), std::size_t{1});
}

void TestMpiHeader::namesOfASource()
{
    QVERIFY((namesInSource("TASUKI_MPI int MPI_Send(int a)\n{}\nTASUKI_MPI int MPI_Recv(\n")
             == Words{"Send", "Recv"}));
    QVERIFY(namesInSource("int MPI_Send(int a);").empty());
}

QTEST_APPLESS_MAIN(TestMpiHeader)

} // namespace tst_mpiheader

#include "tst_mpiheader.moc"
