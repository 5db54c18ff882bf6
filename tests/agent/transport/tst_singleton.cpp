// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "transport/mpi/singleton.h"

#include <cstdlib>
#include <string>

namespace tst_singleton {

using tasuki::Singleton;

namespace {

std::string valueOf(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "unset" : value;
}

} // namespace

/// What Open MPI is told when nobody has launched this process.
class TestSingleton : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "PMI_RANK",
                                 "PMI_FD", "PMI_SIZE", "OMPI_MCA_ess_singleton_isolated",
                                 "OMPI_MCA_pml", "OMPI_MCA_btl", "HWLOC_PLUGINS_PATH"})
            ::unsetenv(name);
    }
    void aloneItSaysSoAndLeavesNothing()
    {
        {
            const Singleton singleton;
            QCOMPARE(valueOf("OMPI_MCA_ess_singleton_isolated"), std::string("1"));
            QCOMPARE(valueOf("OMPI_MCA_btl"), std::string("self"));
            QCOMPARE(valueOf("HWLOC_PLUGINS_PATH"), std::string("/dev/null"));
            QCOMPARE(singleton.variables().size(), std::size_t{4});
        }
        QCOMPARE(valueOf("OMPI_MCA_ess_singleton_isolated"), std::string("unset"));
        QCOMPARE(valueOf("OMPI_MCA_pml"), std::string("unset"));
        QCOMPARE(valueOf("HWLOC_PLUGINS_PATH"), std::string("unset"));
        QCOMPARE(valueOf("OMPI_MCA_btl"), std::string("unset"));
    }
    void whatTheUserHasSetStands()
    {
        ::setenv("OMPI_MCA_btl", "tcp,self", 1);
        {
            const Singleton singleton;
            QCOMPARE(valueOf("OMPI_MCA_btl"), std::string("tcp,self"));
        }
        QCOMPARE(valueOf("OMPI_MCA_btl"), std::string("tcp,self"));
    }
    void ofALaunchItKeepsOut_data()
    {
        QTest::addColumn<QString>("variable");
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_FD"})
            QTest::newRow(name) << QString(name);
    }
    void ofALaunchItKeepsOut()
    {
        QFETCH(QString, variable);
        ::setenv(variable.toUtf8().constData(), "2", 1);
        const Singleton singleton;
        QVERIFY(singleton.variables().empty());
        QCOMPARE(valueOf("OMPI_MCA_btl"), std::string("unset"));
    }
};

QTEST_GUILESS_MAIN(TestSingleton)

} // namespace tst_singleton

#include "tst_singleton.moc"
