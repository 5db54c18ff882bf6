// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/launcherenvironment.h"
#include "process/taskenvironment.h"

#include <QTest>

#include <set>
#include <string>

namespace tst_launcherenvironment {

using namespace tasuki;

class LauncherEnvironmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void launchersAreKnown_data();
    void launchersAreKnown();
    void everyRuleHasAReason();
    void aTaskGetsWhatItShould();
};

void LauncherEnvironmentTest::launchersAreKnown_data()
{
    QTest::addColumn<bool>("known");
    for (const char* name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_MCA_ess", "PMIX_RANK", "PMI_RANK", "PRTE_MCA_x", "ORTE_X",
          "HYDRA_X", "MPIEXEC_X", "PSM2_DEVICES", "HFI_NO_BACKTRACE"})
        QTest::newRow(name) << true;
    for (const char* name : {"PATH", "HOME", "OMPI_ALLOW_RUN_AS_ROOT", "LD_LIBRARY_PATH",
                             "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "SLURM_JOB_ID", "MY_OMPI_X", "OMPI",
                             "OPAL_PREFIX", "TASUKI_RUNNER"})
        QTest::newRow(name) << false;
}

void LauncherEnvironmentTest::launchersAreKnown()
{
    QFETCH(bool, known);
    QCOMPARE(isLauncherVariable(QTest::currentDataTag()), known);
}

void LauncherEnvironmentTest::everyRuleHasAReason()
{
    QVERIFY(!launcherVariables().empty());
    for (const LauncherVariable& rule : launcherVariables())
        QVERIFY2(!rule.reason.empty(), std::string(rule.name).c_str());
}

void LauncherEnvironmentTest::aTaskGetsWhatItShould()
{
    const char* inherited[] = {"PATH=/bin", "OMPI_MCA_btl=tcp", "KEEP=a=b", "TASUKI_RUN=old",
                               "LANG=C",    "TASUKI_SLOT=1",    nullptr};
    guardian::TaskEnvironment environment(inherited, RunId{"ff"}, Epoch(2), Rank(3),
                                          {{"LANG", "ja"},
                                           {"NEW", "x"},
                                           {"NEW", "y"},
                                           {"TASUKI_RUN", "forged"},
                                           {"TASUKI_TASK", "9"}});
    std::multiset<std::string> found;
    const guardian::AttemptEnvironment own = environment.forAttempt({TaskId(4), AttemptNumber(5)},
                                                                    SlotIndex(6), "7,8");
    for (char* const* each = own.block(); *each != nullptr; ++each)
        found.insert(*each);
    const std::multiset<std::string> expected{"PATH=/bin",        "KEEP=a=b",      "LANG=ja",
                                              "OMPI_MCA_btl=tcp", "NEW=y",         "TASUKI_RUN=ff",
                                              "TASUKI_EPOCH=2",   "TASUKI_RANK=3", "TASUKI_TASK=4",
                                              "TASUKI_ATTEMPT=5", "TASUKI_SLOT=6"};
    QVERIFY(found == expected);
}

QTEST_APPLESS_MAIN(LauncherEnvironmentTest)

} // namespace tst_launcherenvironment

#include "tst_launcherenvironment.moc"
