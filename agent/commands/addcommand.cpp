// SPDX-License-Identifier: GPL-3.0-or-later
#include "addcommand.h"

#include "report/steeringtext.h"
#include "steering/adding.h"
#include "steering/jsontasks.h"
#include "steering/standardinput.h"
#include "steerrun.h"
#include "waitreport.h"

#include <cstdio>

#include <unistd.h>

namespace tasuki {

namespace {

/// How mistakes name what is added.
std::string nameOf(const AddOptions& options)
{
    if (options.jsonLines)
        return "standard input, two lines an object";
    return options.lines.empty() && options.program.empty() ? "standard input" : "add";
}

/// One use of `add`.
class AddRun {
public:
    AddRun(const AddOptions& options, std::filesystem::path accessFile)
        : m_options(options),
          m_watch(options.ends ? printEnd : steering::TaskWatch::Ended([](TaskId, const auto&) {})),
          m_live(std::move(accessFile),
                 {.events =
                      [this](const EventBatch& batch) {
                          for (const Event& event : batch.events)
                              m_watch.take(event);
                      }}),
          m_adding(m_live, nameOf(options),
                   {.added = [this](const AddedTasks& added) { note(added); },
                    .more = [this] { m_input.read(); }}),
          m_input(m_live.context(), [this](Result<std::string_view> bytes) { take(bytes); })
    {}

    /// @param list  the whole of it; none: it comes from standard input
    /// @return the exit code
    int run(const std::optional<std::string>& list)
    {
        if (const Result<void> joined = m_live.join(); !joined) {
            printError(joined.error());
            return toInt(ExitCode::NotSteered);
        }
        if (list) {
            m_adding.feed(*list);
            m_adding.finish();
        } else {
            m_input.read();
        }
        const auto served = m_live.serve([this] { return m_adding.done() || m_inputProblem; });
        if (m_adding.unnamed())
            std::fputs("added tasks; the agent, of an older version, does not say which\n", stderr);
        else if (!m_options.ends)
            std::fputs((m_options.json ? addedJson(m_adding.count(), m_adding.ranges())
                                       : addedText(m_adding.count(), m_adding.ranges()))
                           .c_str(),
                       stdout);
        std::fflush(stdout);
        return served ? ended() : lost(served.error());
    }

private:
    void take(const Result<std::string_view>& bytes)
    {
        if (!bytes)
            m_inputProblem = bytes.error();
        else if (m_options.jsonLines)
            takeObjects(*bytes);
        else if (bytes->empty())
            m_adding.finish();
        else
            m_adding.feed(*bytes);
    }

    void takeObjects(std::string_view bytes)
    {
        const Result<std::string> list = bytes.empty() ? m_objects.finish() : m_objects.feed(bytes);
        if (!list) {
            m_inputProblem = list.error();
            return;
        }
        m_adding.feed(*list);
        if (bytes.empty())
            m_adding.finish();
    }

    void note(const AddedTasks& added)
    {
        if (!m_options.wait)
            return;
        if (m_options.ends) {
            const TaskId last(added.first.value() + added.count - 1);
            std::fputs(addedJson(added.count, {{added.first, last}}).c_str(), stdout);
            std::fflush(stdout);
        }
        if (m_watch.count() == 0) {
            m_watch.keepEarlyEnds();
            m_live.link().follow(added.recorded);
        }
        for (std::uint32_t i = 0; i < added.count; ++i)
            m_watch.want(TaskId(added.first.value() + i));
    }

    static int lost(const Error& error)
    {
        printError(error);
        return toInt(ExitCode::NotSteered);
    }

    int ended()
    {
        if (m_inputProblem) {
            printError(*m_inputProblem);
            return toInt(ExitCode::BadInput);
        }
        if (m_adding.failure())
            return lost(*m_adding.failure());
        if (const auto& refusal = m_adding.refusal()) {
            printError({.kind = ErrorKind::Input, .message = refusal->reason.text()});
            return toInt(refusal->details.empty() ? ExitCode::Wrong : ExitCode::BadInput);
        }
        if (m_adding.unnamed())
            return m_options.wait ? lost({.kind = ErrorKind::System,
                                          .message = "what was added cannot be waited for",
                                          .remedy = "use: tasuki-agent wait"})
                                  : toInt(ExitCode::Success);
        if (m_adding.count() == 0)
            return lost({.kind = ErrorKind::Input,
                         .message = "no task was given",
                         .remedy = "write one command a line"});
        return m_options.wait ? waitAndReport(m_live, m_watch, {}, m_options.json)
                              : toInt(ExitCode::Success);
    }

    const AddOptions& m_options;
    steering::TaskWatch m_watch;
    steering::LiveRun m_live;
    steering::Adding m_adding;
    steering::StandardInput m_input;
    steering::JsonTasks m_objects;
    std::optional<Error> m_inputProblem;
};

/// @return the list that the arguments are; none: it comes from standard input
Result<std::optional<std::string>> listOf(const AddOptions& options)
{
    if (!options.program.empty()) {
        Result<std::string> line = steering::shellLine(options.program);
        return line ? Result<std::optional<std::string>>(*line + '\n') : line.error();
    }
    if (options.lines.empty()) {
        if (::isatty(STDIN_FILENO) != 0)
            std::fputs("tasuki-agent: reading tasks from the terminal, one a line; Ctrl-D ends\n",
                       stderr);
        return std::optional<std::string>();
    }
    std::string list;
    for (const std::string& text : options.lines)
        list += text + '\n';
    return std::optional(std::move(list));
}

Result<int> add(const AddOptions& options)
{
    const Result<steering::FoundRun> run = steering::findRun(options.run);
    if (!run)
        return run.error();
    if (!run->accessFile) {
        printError(steering::notLiving(options.run, *run));
        return toInt(ExitCode::NotSteered);
    }
    const auto list = listOf(options);
    if (!list)
        return list.error();
    return AddRun(options, *run->accessFile).run(*list);
}

} // namespace

int addCommand(const Arguments& arguments)
{
    return runSteering(parseAddOptions(arguments), addHelp, add);
}

} // namespace tasuki
