// SPDX-License-Identifier: GPL-3.0-or-later
#include "addcommand.h"
#include "checkcommand.h"
#include "farmcommand.h"
#include "launchcommand.h"
#include "mergecommand.h"
#include "plancommand.h"
#include "probecommand.h"
#include "relaycommand.h"
#include "remotecommand.h"
#include "showcommand.h"
#include "steercommand.h"
#include "tailcommand.h"
#include "topcommand.h"
#include "waitcommand.h"
#include "whycommand.h"

#include "startup/exitcode.h"
#include "startup/version.h"

#include <cstdio>
#include <string>

namespace {

constexpr auto help =
    "Usage: tasuki-agent COMMAND ...\n\n"
    "  farm TASKS       run the commands of a task list on all ranks (under mpirun)\n"
    "  serve            stay up and run the tasks that windows add (under mpirun)\n"
    "  world [TOPOLOGY] -- PROGRAM\n"
    "                   run an MPI program as the ranks of a subcluster (under mpirun)\n"
    "  merge FILE... -o OUT\n"
    "                   merge files of lines key<TAB>value (under mpirun)\n"
    "  probe -o ENVIRONMENT\n"
    "                   measure nodes and links, for a plan (under mpirun)\n"
    "  plan TRACE -e ENVIRONMENT\n"
    "                   which node each task of a traced program should run on\n"
    "  launch -n N -- farm|serve|world|merge|probe|plan ...\n"
    "                   start mpirun in the right way and return the run's exit code\n"
    "  show RUN         what a run file holds\n"
    "  add RUN [LINE...]\n"
    "                   new tasks for a living run, from arguments or standard input\n"
    "  cancel | hold | release | retry RUN TASK...\n"
    "                   what is to become of tasks of a living run\n"
    "  wait RUN [TASK...]\n"
    "                   wait until tasks have ended, and exit as they did\n"
    "  tail RUN TASK    follow what a task writes\n"
    "  top RUN          ranks, rates, failures and alarms on the whole terminal\n"
    "  why RUN [TASK...]\n"
    "                   why a task waits, was skipped, ran again or failed\n"
    "  relay RUN        what a window on another host speaks with, over ssh\n"
    "  check TOPOLOGY   what is wrong in a topology file, or the tree that it makes\n\n"
    "tasuki-agent COMMAND --help tells more; --version prints the version.\n";

} // namespace

int main(int argc, char** argv)
{
    const tasuki::Arguments all(argv + 1, argv + argc);
    const std::string command = all.empty() ? "--help" : all.front();
    const tasuki::Arguments arguments(all.empty() ? all.end() : all.begin() + 1, all.end());
    // Runs on other hosts: whatever looks at one or steers it is given there.
    for (const auto& word :
         {"show", "add", "cancel", "hold", "release", "retry", "wait", "tail", "top", "why"}) {
        if (command == word)
            if (const auto code = tasuki::remoteCommand(command, arguments))
                return *code;
    }
    if (const auto farm = tasuki::farmCommandOf(command))
        return tasuki::farmCommand(*farm, arguments, argc, argv);
    if (command == "merge")
        return tasuki::mergeCommand(arguments, argc, argv);
    if (command == "plan")
        return tasuki::planCommand(arguments, argc, argv);
    if (command == "probe")
        return tasuki::probeCommand(arguments, argc, argv);
    if (command == "launch")
        return tasuki::launchCommand(arguments);
    if (command == "show")
        return tasuki::showCommand(arguments);
    if (command == "add")
        return tasuki::addCommand(arguments);
    if (command == "wait")
        return tasuki::waitCommand(arguments);
    if (command == "tail")
        return tasuki::tailCommand(arguments);
    if (command == "top")
        return tasuki::topCommand(arguments);
    if (command == "why")
        return tasuki::whyCommand(arguments);
    for (const auto order : {tasuki::SteerCommand::Cancel, tasuki::SteerCommand::Hold,
                             tasuki::SteerCommand::Release, tasuki::SteerCommand::Retry}) {
        if (command == tasuki::steerName(order))
            return tasuki::steerCommand(order, arguments);
    }
    if (command == "relay")
        return tasuki::relayCommand(arguments);
    if (command == "check")
        return tasuki::checkCommand(arguments);
    if (command == "--version") {
        std::printf("tasuki-agent %s\n", tasuki::programVersion);
        return tasuki::toInt(tasuki::ExitCode::Success);
    }
    if (command == "--help" || command == "-h" || command == "help") {
        std::fputs(help, stdout);
        return tasuki::toInt(all.empty() ? tasuki::ExitCode::BadInput : tasuki::ExitCode::Success);
    }
    tasuki::printError(
        {.kind = tasuki::ErrorKind::Input,
         .message = "unknown command '" + command + "'",
         .remedy =
             "expected farm, serve, world, merge, probe, plan, launch, show, check, add, cancel, hold, "
             "release, retry, wait, tail, top, why or relay; see tasuki-agent --help"});
    return tasuki::toInt(tasuki::ExitCode::BadInput);
}
