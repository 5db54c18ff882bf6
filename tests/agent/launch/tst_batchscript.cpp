// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/batchscript.h"

namespace tst_batchscript {

using namespace tasuki;

/// What breaks it: a job that Slurm does not take, or one whose run is not gone on with.
class TestBatchScript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isRequeuedUntilAllIsDone()
    {
        QCOMPARE(sbatchScript({.agent = "/opt/bin/tasuki-agent",
                               .sbatchOptions = {"--ntasks=8", "-t", "60", "--exclusive"},
                               .agentArguments = {"farm", "it's.sh", "--slots", "2"},
                               .requeued = true}),
                 "#!/bin/bash\n"
                 "#SBATCH --ntasks=8\n"
                 "#SBATCH -t 60\n"
                 "#SBATCH --exclusive\n"
                 "#SBATCH --job-name=tasuki\n"
                 "#SBATCH --requeue\n"
                 "#SBATCH --open-mode=append\n"
                 "exec /opt/bin/tasuki-agent launch -- farm 'it'\\''s.sh' --slots 2 --requeue\n");
    }

    void whatTheUserSaysHolds()
    {
        QCOMPARE(sbatchScript({.agent = "tasuki-agent",
                               .sbatchOptions = {"-Jmine", "--open-mode=truncate", "--requeue"},
                               .agentArguments = {"farm", "list.sh", "--requeue"},
                               .requeued = true}),
                 "#!/bin/bash\n"
                 "#SBATCH -Jmine\n"
                 "#SBATCH --open-mode=truncate\n"
                 "#SBATCH --requeue\n"
                 "exec tasuki-agent launch -- farm list.sh --requeue\n");
    }

    void commandsThatEndByThemselves()
    {
        QCOMPARE(sbatchScript({.agent = "tasuki-agent",
                               .sbatchOptions = {},
                               .mpirunOptions = {"--mca", "x", "1"},
                               .agentArguments = {"probe", "-o", "nodes.toml"}}),
                 "#!/bin/bash\n"
                 "#SBATCH --job-name=tasuki\n"
                 "exec tasuki-agent launch --mca x 1 -- probe -o nodes.toml\n");
    }
};

QTEST_APPLESS_MAIN(TestBatchScript)

} // namespace tst_batchscript

#include "tst_batchscript.moc"
