// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "agent/link/testrun.h"

#include "host/hostidentity.h"
#include "steering/runname.h"
#include "wire/handshake.h"

#include <fstream>

#include <unistd.h>

namespace tst_runname {

using namespace tasuki;
using namespace tasuki::steering;
using namespace tasuki::testing;

namespace {

/// A run file, and agents that have left word of it.
struct Place {
    TestRun run{1};
    std::filesystem::path agents = run.directory() / "agents";

    Place() { run.commit(5); }

    std::filesystem::path write(std::uint32_t epoch, bool lives = true, std::string host = {})
    {
        const HostIdentity here = hostIdentity();
        link::AccessFile access;
        access.run = run.id();
        access.epoch = Epoch(epoch);
        access.runFile = run.file();
        access.hostName = host.empty() ? here.name : host;
        access.hostKey = host.empty() ? here.key : host + "-key";
        access.pid = ::getpid();
        access.processStart = link::processStart(access.pid) + (lives ? 0U : 1U);
        access.socket = "/nowhere";
        access.token = link::randomSecret();
        return link::writeAccessFile(agents, access).value();
    }

    Result<FoundRun> find(const std::filesystem::path& name) const { return findRun(name, agents); }
};

} // namespace

class TestRunName : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void living()
    {
        Place place;
        place.write(1, false);
        const auto access = place.write(2);
        for (const auto& name : {place.run.file(), access}) {
            const auto run = place.find(name);
            QVERIFY(run.ok());
            QVERIFY(run->accessFile == access);
            QVERIFY(run->record == place.run.file());
        }
    }

    /// The run file is found by its run, under another name too.
    void movedAndLinked()
    {
        Place place;
        const auto access = place.write(1);
        const auto other = place.run.directory() / "other.tasuki";
        std::filesystem::create_hard_link(place.run.file(), other);
        QVERIFY(place.find(other)->accessFile == access);
    }

    void notLivingAnyMore()
    {
        Place place;
        place.write(1, false);
        const auto run = place.find(place.run.file());
        QVERIFY(run.ok());
        QVERIFY(!run->accessFile);
        QVERIFY(run->elsewhere.empty());
        const std::string text = notLiving("run.tasuki", *run).text();
        QVERIFY2(text.find("--resume run.tasuki") != std::string::npos, text.c_str());
    }

    void onAnotherHost()
    {
        Place place;
        place.write(1, true, "node7");
        const auto run = place.find(place.run.file());
        QVERIFY(!run->accessFile);
        QCOMPARE(run->elsewhere, "node7");
        QVERIFY(notLiving("run.tasuki", *run).text().find("node7") != std::string::npos);
    }

    void noRuns()
    {
        Place place;
        QVERIFY(place.find(place.run.directory() / "none.tasuki").error().text().find("none.tasuki")
                != std::string::npos);
        const auto text = place.run.directory() / "list.sh";
        std::ofstream(text) << "echo 1\n";
        QCOMPARE(place.find(text).error().kind, ErrorKind::Foreign);
        const std::string gone = place.find(place.agents / "0123-1.json").error().text();
        QVERIFY2(gone.find("name the run file") != std::string::npos, gone.c_str());
        const auto json = place.run.directory() / "x.json";
        std::ofstream(json) << "{}";
        std::filesystem::permissions(json, std::filesystem::perms::owner_read);
        QCOMPARE(place.find(json).error().kind, ErrorKind::Foreign);
    }
};

QTEST_APPLESS_MAIN(TestRunName)

} // namespace tst_runname

#include "tst_runname.moc"
