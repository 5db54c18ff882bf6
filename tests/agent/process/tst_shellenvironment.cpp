// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/shellenvironment.h"

#include <QTest>

#include <array>
#include <set>
#include <string>

namespace tst_shellenvironment {

using namespace tasuki;

namespace {

constexpr std::array<std::string_view, 1> internal{"TASUKI_LAUNCH_TOKEN"};

using Entries = std::multiset<std::string>;

Entries made(const ShellSources& sources)
{
    const EnvironmentEntries entries = shellEnvironment(sources);
    return {entries.begin(), entries.end()};
}

/// As a rank of mpirun finds it.
EnvironmentEntries rankEnvironment(const EnvironmentEntries& more)
{
    EnvironmentEntries entries{"HOME=/home/a",         "OMPI_COMM_WORLD_RANK=0",
                               "PMIX_RANK=0",          "OMPI_MCA_ess=^singleton",
                               "IPATH_NO_BACKTRACE=1", "TASUKI_LAUNCH_TOKEN=secret"};
    entries.insert(entries.end(), more.begin(), more.end());
    return entries;
}

} // namespace

/// What a task finds in its environment, from what its agent finds.
class ShellEnvironmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aloneEverythingStays();
    void onTheHostOfTheLauncher();
    void onOtherHosts();
    void allocationOfSlurm();
    void directoriesOfTheLauncher_data();
    void directoriesOfTheLauncher();
    void settingsTravel();
    void blocks();
};

void ShellEnvironmentTest::aloneEverythingStays()
{
    const Entries all{"OMPI_MCA_btl=tcp", "PSM2_DEVICES=self", "PATH=/bin"};
    EnvironmentEntries own(all.begin(), all.end());
    own.emplace_back("TASUKI_LAUNCH_TOKEN=secret");
    QCOMPARE(made({.own = own, .internal = internal}), all);
}

// Fails if what mpirun sets stays, or what the user has set goes, or comes back changed.
void ShellEnvironmentTest::onTheHostOfTheLauncher()
{
    const ShellSources sources{
        .own = rankEnvironment(
            {"EXPORTED=by -x", "OMPI_MCA_btl=tcp", "PSM2_DEVICES=self,shm", "HFI_NO_BACKTRACE=1"}),
        .internal = internal,
        .underLauncher = true,
        .shell = EnvironmentEntries{"HOME=/home/a", "OMPI_MCA_btl=tcp", "OMPI_MCA_ess=mine",
                                    "PSM2_DEVICES=shm", "TASUKI_LAUNCH_TOKEN=other"}};
    QCOMPARE(made(sources),
             (Entries{"HOME=/home/a", "EXPORTED=by -x", "OMPI_MCA_btl=tcp", "OMPI_MCA_ess=mine",
                      "PSM2_DEVICES=shm"}));
}

void ShellEnvironmentTest::onOtherHosts()
{
    const ShellSources sources{.own = rankEnvironment({"OMPI_MCA_btl=tcp", "PATH=/there"}),
                               .internal = internal,
                               .underLauncher = true,
                               .userSettings = {"OMPI_MCA_btl=tcp"}};
    QCOMPARE(made(sources), (Entries{"HOME=/home/a", "OMPI_MCA_btl=tcp", "PATH=/there"}));
}

// As srun --mpi=pmix starts it: Slurm's own variables stay, and nobody but the user has set Open MPI's.
void ShellEnvironmentTest::allocationOfSlurm()
{
    const ShellSources sources{.own = {"SLURM_JOB_ID=7", "SLURM_PROCID=0", "PMIX_RANK=0",
                                       "PMIX_NAMESPACE=slurm.7.0", "PMIX_SERVER_URI2=x",
                                       "PMI_RANK=0", "OMPI_MCA_btl=tcp", "HOME=/home/a"},
                               .internal = internal,
                               .underLauncher = true};
    QCOMPARE(made(sources),
             (Entries{"SLURM_JOB_ID=7", "SLURM_PROCID=0", "OMPI_MCA_btl=tcp", "HOME=/home/a"}));
}

void ShellEnvironmentTest::directoriesOfTheLauncher_data()
{
    QTest::addColumn<QString>("shell");
    QTest::addColumn<QString>("own");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* shell, const char* own,
                        const char* expected) {
        QTest::newRow(name) << QString(shell) << QString(own) << QString(expected);
    };
    row("untouched", "PATH=/v/bin:/bin", "PATH=/v/bin:/bin", "PATH=/v/bin:/bin");
    row("once", "PATH=/v/bin:/bin", "PATH=/usr/bin:/v/bin:/bin", "PATH=/v/bin:/bin");
    row("twice", "PATH=/v/bin:/bin", "PATH=/usr/bin:/usr/bin:/v/bin:/bin", "PATH=/v/bin:/bin");
    row("the user's begins so", "PATH=/usr/bin:/bin", "PATH=/usr/bin:/usr/bin:/bin",
        "PATH=/usr/bin:/bin");
    row("set for the ranks", "PATH=/v/bin:/bin", "PATH=/mine/bin:/v/bin:/bin",
        "PATH=/mine/bin:/v/bin:/bin");
    row("libraries, none before", "HOME=/", "LD_LIBRARY_PATH=/usr/lib:/usr/lib", "");
    row("libraries, some before", "LD_LIBRARY_PATH=/l", "LD_LIBRARY_PATH=/usr/lib64:/l",
        "LD_LIBRARY_PATH=/l");
    row("libraries, empty before",
        "LD_LIBRARY_PATH=", "LD_LIBRARY_PATH=/usr/lib:", "LD_LIBRARY_PATH=");
    row("other libraries", "HOME=/", "LD_LIBRARY_PATH=/usr/lib/x", "LD_LIBRARY_PATH=/usr/lib/x");
}

// Fails if a task runs another python3 than the user's shell would.
void ShellEnvironmentTest::directoriesOfTheLauncher()
{
    QFETCH(QString, shell);
    QFETCH(QString, own);
    QFETCH(QString, expected);
    const Entries wanted = expected.isEmpty() ? Entries() : Entries{expected.toStdString()};
    QCOMPARE(made({.own = {own.toStdString()},
                   .internal = internal,
                   .underLauncher = true,
                   .shell = EnvironmentEntries{shell.toStdString()},
                   .installed = "/usr"}),
             wanted);
}

void ShellEnvironmentTest::settingsTravel()
{
    const EnvironmentEntries shell{"PATH=/bin", "OMPI_MCA_a=b c;d,e%f\n\xE6\x97\xA5",
                                   "OMPI_MCA_empty=", "PSM2_DEVICES=self"};
    const std::string text = userSettingsText(shell);
    for (const char c : text)
        QVERIFY(c > ' ' && c < 0x7F && c != ';');
    QCOMPARE(parseUserSettings(text), EnvironmentEntries(shell.begin() + 1, shell.end()));
    QVERIFY(parseUserSettings("").empty());
    QVERIFY(parseUserSettings("A=%ZZ,").empty());
}

void ShellEnvironmentTest::blocks()
{
    using namespace std::string_view_literals;
    QCOMPARE(parseEnvironment("A=1\0B=\0"sv), (EnvironmentEntries{"A=1", "B="}));
    QCOMPARE(parseEnvironment("A=1\0\0B=x y"sv), (EnvironmentEntries{"A=1", "B=x y"}));
    QVERIFY(parseEnvironment("").empty());
}

QTEST_APPLESS_MAIN(ShellEnvironmentTest)

} // namespace tst_shellenvironment

#include "tst_shellenvironment.moc"
