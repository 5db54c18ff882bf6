// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasklistwriter.h"

#include "blanks.h"
#include "directive.h"
#include "duration.h"
#include "retries.h"
#include "shellscanner.h"
#include "warning.h"

#include "domain/shellword.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tasuki {

namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

bool holds(std::string_view text, std::string_view bytes)
{
    return text.find_first_of(bytes) != std::string_view::npos;
}

constexpr std::string_view endsOfLines("\n\0", 2);

bool looksLikeMark(std::string_view text)
{
    return text.starts_with("\xEF\xBB\xBF") || text.starts_with("\xFF\xFE")
        || text.starts_with("\xFE\xFF");
}

/// @return why a command cannot be a line of a list; none: it can
std::optional<std::string> faultOfCommand(std::string_view command, ShellScanner& scanner)
{
    if (isBlankCommand(command))
        return "the command is empty";
    if (command.find('\0') != std::string_view::npos)
        return "the command has a NUL byte";
    if (isBlank(command.front()) || trimBlanksRight(command) != command)
        return "blanks around the command would be lost";
    if (command.front() == '#')
        return "the command would be a comment";
    scanner.reset();
    for (std::size_t at = 0; at <= command.size();) {
        const std::size_t end = std::min(command.find('\n', at), command.size());
        const std::string_view line = command.substr(at, end - at);
        const bool isLast = end == command.size();
        scanner.feed(line);
        if (line.ends_with('\r'))
            return "the CR at the end of a line would be lost";
        const bool continues = endsInBackslash(line) && !scanner.inComment();
        if (continues && isLast)
            return "the backslash at its end would continue the command";
        if (!continues && !isLast)
            return "the command has a newline that no backslash continues";
        if (!isLast)
            scanner.feed("\n");
        at = end + 1;
    }
    if (scanner.openQuote(command))
        return "a quote in the command is not closed";
    return std::nullopt;
}

/// Writes tasks one after the other, and before each what is new about it.
class Writer {
public:
    Writer(std::span<const Task> tasks, const TaskListDefaults& defaults)
        : m_tasks(tasks), m_defaults(defaults), m_current(defaults.settings())
    {}

    Result<std::string> write()
    {
        indexLabels();
        for (std::size_t i = 0; i < m_tasks.size(); ++i) {
            const Task& task = m_tasks[i];
            std::string directive;
            std::optional<std::string> fault = faultOfCommand(task.command, m_scanner);
            if (!fault)
                fault = addBarriers(task.stage, directive);
            if (!fault && task.settings.get() != m_lastSettings)
                fault = addSettings(*task.settings, directive);
            if (!fault && task.links)
                fault = addLinks(*task.links, directive);
            if (fault)
                return Error{.kind = ErrorKind::Input,
                             .message = "task " + std::to_string(i)
                                 + " cannot be written in a task list: " + *fault,
                             .remedy = "change the task, or put its command in a script"};
            m_lastSettings = task.settings.get();
            if (!directive.empty())
                m_text += "#TASUKI" + directive + '\n';
            // What looks like a byte order mark is one at the very beginning only.
            else if (m_text.empty() && looksLikeMark(task.command))
                m_text += '\n';
            m_text += task.command;
            m_text += '\n';
        }
        return std::move(m_text);
    }

private:
    void indexLabels()
    {
        for (std::size_t i = 0; i < m_tasks.size(); ++i) {
            if (m_tasks[i].links && !m_tasks[i].links->label.empty())
                m_labelled[m_tasks[i].links->label].emplace_back(static_cast<std::uint32_t>(i));
        }
    }

    std::optional<std::string> addBarriers(std::uint32_t stage, std::string& directive)
    {
        if (stage < m_stage)
            return "its stage is before that of the task above it";
        for (; m_stage < stage; ++m_stage)
            directive += " barrier";
        return std::nullopt;
    }

    std::optional<std::string> addSettings(const TaskSettings& settings, std::string& directive)
    {
        if (settings.seat)
            return "it is a rank of a world, which a list cannot say";
        if (settings.retries != m_current.retries)
            directive += " retries="
                + (settings.retries == m_defaults.retries ? "default"
                                                          : formatRetries(settings.retries));
        if (settings.timeout != m_current.timeout) {
            if (settings.timeout
                && (settings.timeout->count() <= 0 || *settings.timeout > longestDuration))
                return "its time limit is out of range";
            directive += " timeout="
                + (settings.timeout ? formatDuration(*settings.timeout) : "none");
        }
        if (auto fault = addTimes(settings, directive))
            return fault;
        if (settings.workingDirectory != m_current.workingDirectory) {
            const std::string& directory = settings.workingDirectory;
            if (holds(directory, endsOfLines))
                return "its working directory has a newline or a NUL byte";
            directive += " cwd="
                + (directory.empty() ? "default"
                                     : quoteDirectiveValue(directory, directory == "default"));
        }
        if (settings.environment != m_current.environment) {
            if (auto fault = addEnvironment(settings.environment, directive))
                return fault;
        }
        m_current = settings;
        return std::nullopt;
    }

    std::optional<std::string> addTimes(const TaskSettings& settings, std::string& directive) const
    {
        const auto fits = [](std::chrono::milliseconds time) {
            return time.count() > 0 && time <= longestDuration;
        };
        if (settings.expectedTime != m_current.expectedTime) {
            if (settings.expectedTime && !fits(*settings.expectedTime))
                return "its declared time is out of range";
            directive += " time="
                + (settings.expectedTime ? formatDuration(*settings.expectedTime) : "none");
        }
        if (settings.warning != m_current.warning) {
            if (settings.warning && !fits(settings.warning->before))
                return "the time of its warning is out of range";
            directive += " warn=" + (settings.warning ? formatWarning(*settings.warning) : "none");
        }
        return std::nullopt;
    }

    std::optional<std::string> addEnvironment(const Environment& wanted, std::string& directive)
    {
        // The variables that hold keep their places, so they must be the first ones wanted.
        const Environment& held = m_current.environment;
        const bool extends = held.size() <= wanted.size()
            && std::equal(held.begin(), held.end(), wanted.begin(),
                          [](const auto& a, const auto& b) { return a.first == b.first; });
        if (!extends)
            directive += " env=default";
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto& [name, value] = wanted[i];
            if (!isVariableName(name))
                return "a variable has the name \"" + name + "\"";
            if (holds(value, endsOfLines))
                return "the variable " + name + " has a newline or a NUL byte";
            for (std::size_t j = 0; j < i; ++j) {
                if (wanted[j].first == name)
                    return "the variable " + name + " is set twice";
            }
            if (!extends || i >= held.size() || held[i].second != value)
                directive += " env=" + name + '='
                    + (value.empty() ? std::string() : quoteDirectiveValue(value));
        }
        return std::nullopt;
    }

    std::optional<std::string> addLinks(const TaskLinks& links, std::string& directive)
    {
        if (links.label.empty() && links.after.empty())
            return "it has links that say nothing";
        if (!links.label.empty()) {
            if (holds(links.label, ",") || holds(links.label, endsOfLines))
                return "its label has a comma, a newline or a NUL byte";
            directive += " label=" + quoteDirectiveValue(links.label);
        }
        if (links.after.empty())
            return std::nullopt;
        std::string names;
        for (const SharedGroup& group : links.after.groups()) {
            auto& known = m_groupNames[group.get()];
            if (known.empty()) {
                if (auto problem = nameLabels(*group, known))
                    return problem;
            }
            names += (names.empty() ? "" : ",") + known;
        }
        directive += " after=" + quoteDirectiveValue(names);
        return std::nullopt;
    }

    /// @param names  receives the labels that mean just the tasks of the group
    std::optional<std::string> nameLabels(const TaskGroup& group, std::string& names)
    {
        std::vector<TaskId> reached;
        for (const TaskId id : group) {
            if (id.value() >= m_tasks.size())
                return "it comes after a task that is not in the list";
            const auto& target = m_tasks[id.value()].links;
            if (!target || target->label.empty())
                return "it comes after a task that has no label";
            const std::string& label = target->label;
            const auto& labelled = m_labelled[label];
            if (labelled.front() != id)
                continue; // the label was used with its first task, or the sets will differ
            names += (names.empty() ? "" : ",") + label;
            reached.insert(reached.end(), labelled.begin(), labelled.end());
        }
        std::sort(reached.begin(), reached.end());
        if (reached != group)
            return "it comes after some tasks of a label and not after others";
        return std::nullopt;
    }

    std::span<const Task> m_tasks;
    TaskListDefaults m_defaults;
    TaskSettings m_current;
    const TaskSettings* m_lastSettings = nullptr;
    std::uint32_t m_stage = 0;
    std::unordered_map<std::string, std::vector<TaskId>> m_labelled;
    std::unordered_map<const TaskGroup*, std::string> m_groupNames; ///< labels, by their tasks
    ShellScanner m_scanner;
    std::string m_text;
};

} // namespace

Result<std::string> writeTaskList(std::span<const Task> tasks, const TaskListDefaults& defaults)
{
    return Writer(tasks, defaults).write();
}

} // namespace tasuki
