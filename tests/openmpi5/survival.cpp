// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a run survives under the Open MPI that PATH finds: somebody of a farm of 12 processors is killed,
// stopped, or ends by itself; a row says what became of the run. Exit code 1: a task was lost or done
// twice, something was left behind, or a run ended that should have gone on.
#include "failoverfarm.h"
#include "support/programpart.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace survival_tool {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int tasks = 2000;

/// How the farm is started, and over what its processors talk.
struct Launcher {
    const char* name;
    const char* told;
    Start how;
    QStringList options;
    bool survives; ///< the death of a rank
    bool withOpenMpi4 = true;
};

const std::vector<Launcher>& launchers()
{
    static const std::vector<Launcher> all{
        {"launch", "tasuki-agent launch", Start::Launch, {}, true},
        {"tcp", "tasuki-agent launch, over TCP", Start::Launch, {"--mca", "btl", "tcp,self"}, true},
        {"tcpnoft",
         "tasuki-agent launch, over TCP, without its fault tolerance",
         Start::Launch,
         {"--with-ft", "no", "--mca", "btl", "tcp,self"},
         false,
         false},
        {"mpirun", "plain mpirun", Start::Mpirun, {}, false}};
    return all;
}

/// Whom something befalls: the processors named, or mpirun when there are none.
struct Blow {
    const char* who;
    const char* fate; ///< a signal, or a way of ending by itself that the fault library knows
    std::vector<int> processors;
    int pauseMs = 0; ///< between one and the next
    bool shortly = false;
    bool mayEndAll = false; ///< the launcher decides

    [[nodiscard]] bool bySignal() const { return std::string_view(fate).starts_with("SIG"); }
    [[nodiscard]] int signal() const
    {
        return std::string_view(fate) == "SIGSTOP" ? SIGSTOP : SIGKILL;
    }
};

const std::vector<Blow>& blows()
{
    static const std::vector<Blow> all{
        {.who = "rank", .fate = "SIGKILL", .processors = {10}, .shortly = true},
        {.who = "rank", .fate = "SIGSTOP", .processors = {10}},
        {.who = "rank", .fate = "exit0", .processors = {8}},
        {.who = "rank", .fate = "exit1", .processors = {8}},
        {.who = "rank", .fate = "segv", .processors = {8}},
        {.who = "rank", .fate = "abort", .processors = {8}, .mayEndAll = true},
        {.who = "standby", .fate = "SIGKILL", .processors = {11}},
        {.who = "unit master", .fate = "SIGKILL", .processors = {9}},
        {.who = "unit master", .fate = "SIGSTOP", .processors = {9}},
        {.who = "cluster master", .fate = "SIGKILL", .processors = {6}, .shortly = true},
        {.who = "cluster master", .fate = "SIGSTOP", .processors = {6}},
        {.who = "system master", .fate = "SIGKILL", .processors = {0}, .shortly = true},
        {.who = "system master", .fate = "SIGSTOP", .processors = {0}},
        {.who = "it and its successor", .fate = "SIGKILL", .processors = {0, 1}},
        {.who = "three system masters", .fate = "SIGKILL", .processors = {0, 1, 2}, .pauseMs = 700},
        {.who = "mpirun", .fate = "SIGKILL", .processors = {}, .mayEndAll = true}};
    return all;
}

struct Outcome {
    const char* run = "hangs";
    int exitCode = -1;
    long long done = 0;
    long long lost = 0;
    long long twice = 0;
    int epochs = 0;
    double foundMs = -1;
    double seconds = 0; ///< from the blow to the end of the run, resumed ones not counted
    QByteArray remark;
};

/// Waits until the farm works. @return whether it does
bool waitUntilItWorks(FailoverFarm& farm)
{
    QElapsedTimer waited;
    waited.start();
    while (!farm.works()) {
        if (!farm.agent.running() || waited.hasExpired(40'000))
            return false;
        farm.agent.finish(20ms);
    }
    return true;
}

void strike(FailoverFarm& farm, const Blow& blow, const Workspace& elsewhere)
{
    if (!blow.bySignal()) {
        // Not again in the next start.
        const QString file = elsewhere.write("now", "");
        for (int step = 0; step < 500 && processInfo(farm.pid(blow.processors.front())); ++step)
            farm.agent.finish(10ms);
        QFile::remove(file);
        return;
    }
    if (blow.processors.empty()) {
        kill(processInfo(farm.pid(0))->parent, blow.signal());
        return;
    }
    for (const int processor : blow.processors) {
        kill(farm.pid(processor), blow.signal());
        if (blow.pauseMs > 0)
            farm.agent.finish(std::chrono::milliseconds(blow.pauseMs));
    }
}

QStringList faultOptions(const Blow& blow, const Workspace& elsewhere)
{
    if (blow.bySignal())
        return {};
    return {"-x", "LD_PRELOAD=" TASUKI_FAULT_LIBRARY,
            "-x", "TASUKI_FAULT_PROCESSOR=" + QString::number(blow.processors.front()),
            "-x", "TASUKI_FAULT_KIND=" + QString(blow.fate),
            "-x", "TASUKI_FAULT_FILE=" + elsewhere.path("now")};
}

/// Fills in what the record says.
void readRecord(const FailoverFarm& farm, const Blow& blow, WallMicros struck, Outcome& outcome)
{
    const FailoverRecord record = farm.record();
    outcome.done = record.sql().number("SELECT count(*) FROM tasks WHERE state = 'succeeded'");
    outcome.lost = tasks - outcome.done;
    outcome.twice = record.sql().number(
        "SELECT count(*) FROM (SELECT task FROM event WHERE kind = 9 AND disposition = 0 AND "
        "outcome = 0 GROUP BY task HAVING count(*) > 1)");
    outcome.epochs = static_cast<int>(record.sql().number("SELECT max(id >> 40) FROM event"));
    if (blow.processors.empty())
        return;
    if (const auto loss = record.lossOf(blow.processors.front()))
        outcome.foundMs = static_cast<double>(loss->at - struck) / 1e3;
}

Outcome suffer(const Blow& blow, const Launcher& launcher)
{
    const Workspace elsewhere;
    FailoverFarm farm({.tasks = tasks,
                       .seconds = "0.01",
                       .how = launcher.how,
                       .launcherOptions = launcher.options + faultOptions(blow, elsewhere)});
    Outcome outcome;
    farm.start();
    if (!waitUntilItWorks(farm)) {
        outcome.run = "does not start";
        outcome.remark = farm.agent.story();
        return outcome;
    }
    const WallMicros struck = wallNow();
    strike(farm, blow, elsewhere);
    const bool ended = farm.agent.finish(90s);
    outcome.seconds = static_cast<double>(wallNow() - struck) / 1e6;
    if (!ended) {
        outcome.remark = farm.agent.story() + describeAll(farm.agent.allProcesses());
        // A dead one that nobody has asked for shows no environment.
        if (const auto started = processInfo(farm.agent.pid()))
            outcome.remark += "started: " + QByteArray::fromStdString(describe(*started)) + '\n';
        return outcome;
    }
    outcome.exitCode = farm.agent.exitCode();
    if (const auto left = farm.agent.remainder(5s); !left.empty())
        outcome.remark = "left behind:\n" + describeAll(left);
    QByteArray story = farm.agent.story();
    const bool complete = outcome.exitCode == 0;
    if (!complete) {
        farm.resume();
        outcome.remark += farm.finish(FailoverFarm::processors);
    }
    readRecord(farm, blow, struck, outcome);
    outcome.run = !complete ? "ends; resumed" : outcome.epochs > 1 ? "starts again" : "goes on";
    const bool goesOn = complete && outcome.epochs == 1;
    const bool may = goesOn || blow.mayEndAll || !launcher.survives;
    if (!may || outcome.lost != 0 || outcome.twice != 0)
        outcome.remark += "it said:\n" + story;
    return outcome;
}

/// Prints a row. @return whether all is as it should be
bool tell(const Blow& blow, const Outcome& outcome)
{
    const QByteArray found = outcome.foundMs < 0 ? "-"
                                                 : QByteArray::number(outcome.foundMs, 'f', 1);
    const QByteArray code = outcome.exitCode < 0 ? "-" : QByteArray::number(outcome.exitCode);
    std::printf("%-22s %-8s %-14s %4s %6lld %5lld %6lld %7d %10s %7.1f\n", blow.who, blow.fate,
                outcome.run, code.constData(), outcome.done, outcome.lost, outcome.twice,
                outcome.epochs, found.constData(), outcome.seconds);
    if (!outcome.remark.isEmpty())
        std::printf("%s\n", outcome.remark.constData());
    std::fflush(stdout);
    return outcome.remark.isEmpty();
}

QByteArray versionOfMpirun()
{
    QProcess mpirun;
    mpirun.start("mpirun", {"--version"});
    mpirun.waitForFinished(10'000);
    return mpirun.readAllStandardOutput().split('\n').front();
}

bool sufferAll(const Launcher& launcher, bool shortly)
{
    std::printf("\n%s under %s\n%-22s %-8s %-14s %4s %6s %5s %6s %7s %10s %7s\n",
                versionOfMpirun().constData(), launcher.told, "who", "fate", "the run", "exit",
                "done", "lost", "twice", "starts", "found, ms", "ends, s");
    bool good = true;
    for (const Blow& blow : blows()) {
        if (!shortly || blow.shortly)
            good = tell(blow, suffer(blow, launcher)) && good;
    }
    return good;
}

} // namespace

TASUKI_TOOL_MAIN()
{
    const QCoreApplication application(argc, argv);
    QStringList arguments = QCoreApplication::arguments().mid(1);
    const bool shortly = arguments.removeAll("--short") > 0;
    bool good = true;
    for (const QString& name : arguments) {
        const auto known = std::ranges::any_of(
            launchers(), [&](const Launcher& launcher) { return name == launcher.name; });
        if (!known) {
            std::fprintf(stderr, "usage: survival [--short] [launch] [tcp] [tcpnoft] [mpirun]\n");
            return 2;
        }
    }
    const bool isOpenMpi4 = launchesWithOpenMpi4();
    for (const Launcher& launcher : launchers()) {
        if (isOpenMpi4 && !launcher.withOpenMpi4)
            continue;
        if (arguments.isEmpty() || arguments.contains(launcher.name))
            good = sufferAll(launcher, shortly) && good;
    }
    return good ? 0 : 1;
}

} // namespace survival_tool
