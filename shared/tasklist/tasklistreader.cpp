// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasklistreader.h"

#include "blanks.h"
#include "directive.h"
#include "directivestate.h"
#include "linkresolver.h"
#include "shellscanner.h"
#include "tasklistfile.h"
#include "textlines.h"

#include <algorithm>
#include <limits>
#include <new>

namespace tasuki {

namespace {

/// Reads one list, line by line.
class Reader {
public:
    Reader(std::string_view text, std::string file, const TaskListDefaults& defaults,
           const EarlierTasks& earlier)
        : m_earlier(earlier),
          m_sink(std::move(file)),
          m_lines(text, m_sink, earlier.lines),
          m_state(defaults, m_sink)
    {
        if (!m_lines.unreadable())
            m_tasks.reserve(countCommands(text));
    }

    TaskListParse read()
    {
        if (m_lines.unreadable())
            return {.tasks = {}, .diagnostics = m_sink.take()};
        TextLine line;
        while (m_lines.next(line))
            readLine(line);
        m_lines.finish();
        m_state.finish();
        if (m_tasks.empty())
            m_sink.error(0, 0, "there are no tasks in the list", "write one command a line");
        if (!m_written.empty())
            resolveLinks(m_tasks, m_written, m_state.barrierLines(), m_earlier, m_sink);
        for (Task& task : m_tasks) {
            task.stage += m_earlier.stage;
            task.position += m_earlier.count;
        }
        return {.tasks = std::move(m_tasks), .diagnostics = m_sink.take()};
    }

private:
    /// @return about how many commands there are, never fewer: room is made for them once, as a
    ///         growing vector would hold all tasks twice
    static std::size_t countCommands(std::string_view text)
    {
        std::size_t count = 0;
        for (std::size_t at = 0; at < text.size();) {
            count += text[at] != '\n' && text[at] != '#' ? 1U : 0U;
            const std::size_t end = text.find('\n', at);
            at = end == std::string_view::npos ? text.size() : end + 1;
        }
        return count;
    }

    void readLine(const TextLine& line)
    {
        const std::string_view body = trimBlanksLeft(line.text);
        if (body.empty())
            return;
        const std::size_t column = line.text.size() - body.size() + 1;
        if (body.front() == '#')
            readComment(body, line.number, column);
        else
            readCommand(body, line.number, column);
    }

    void readComment(std::string_view body, std::uint64_t line, std::uint64_t column)
    {
        switch (classifyComment(body)) {
        case CommentKind::Comment: return;
        case CommentKind::Lookalike:
            m_sink.warning(line, column, "this comment looks like a directive, but is none",
                           "a directive begins with \"#TASUKI\" and a blank, in capitals");
            return;
        case CommentKind::Directive: break;
        }
        const std::size_t faultsBefore = m_sink.count();
        const std::vector<DirectiveItem> items = splitDirective(body, line, column, m_sink);
        for (const DirectiveItem& item : items)
            m_state.apply(item);
        if (items.empty() && m_sink.count() == faultsBefore)
            m_sink.warning(line, column, "the directive says nothing",
                           "write #TASUKI KEY=VALUE, or remove it");
    }

    /// Reads a command, which may go on in the lines that follow.
    void readCommand(std::string_view body, std::uint64_t line, std::uint64_t column)
    {
        m_scanner.reset();
        m_scanner.feed(body);
        std::string joined;
        TextLine next{.text = body, .number = line};
        while (endsInBackslash(next.text) && !m_scanner.inComment()) {
            if (joined.empty())
                joined = body;
            const std::uint64_t indent = next.number == line ? column - 1 : 0;
            const TextLine last = next;
            if (!m_lines.next(next)) {
                m_sink.error(last.number, indent + last.text.size(),
                             "the list ends in a backslash, which continues the command",
                             "remove the backslash or add the line");
                break;
            }
            if (classifyContinuation(next) == CommentKind::Directive)
                m_sink.warning(next.number, next.text.find('#') + 1,
                               "this directive is part of the command above, which ends in a "
                               "backslash",
                               "remove the backslash");
            joined += '\n';
            joined += next.text;
            m_scanner.feed("\n");
            m_scanner.feed(next.text);
        }
        joined.shrink_to_fit();
        const std::string_view command = joined.empty() ? body : std::string_view(joined);
        inspect(command, line, column);
        // Also when something is wrong with it, so that labels above it do not go to another task.
        addTask(trimBlanksRight(command), line);
    }

    static CommentKind classifyContinuation(const TextLine& line)
    {
        const std::string_view body = trimBlanksLeft(line.text);
        return body.starts_with('#') ? classifyComment(body) : CommentKind::Comment;
    }

    /// Reports what is wrong with the quoting of a command.
    void inspect(std::string_view command, std::uint64_t line, std::uint64_t column)
    {
        if (const auto open = m_scanner.openQuote(command)) {
            const auto [atLine, atColumn] = placeOf(command, open->offset, line, column);
            m_sink.error(atLine, atColumn,
                         "the quote " + std::string(1, open->quote) + " is not closed",
                         "close it on the same line, or put a backslash before it if it is no "
                         "quote");
            return;
        }
        if (const auto here = m_scanner.hereDocument()) {
            const auto [atLine, atColumn] = placeOf(command, *here, line, column);
            m_sink.warning(atLine, atColumn,
                           "the here-document has no lines: the lines below are tasks of their own",
                           "use printf and a pipe, or put the command in a script");
        }
    }

    struct Place {
        std::uint64_t line;
        std::uint64_t column;
    };

    /// @param line, column  where the command begins
    static Place placeOf(std::string_view command, std::size_t offset, std::uint64_t line,
                         std::uint64_t column)
    {
        const std::string_view before = command.substr(0, offset);
        const auto newlines = std::count(before.begin(), before.end(), '\n');
        if (newlines == 0)
            return {line, column + offset};
        return {line + static_cast<std::uint64_t>(newlines), offset - before.rfind('\n')};
    }

    void addTask(std::string_view command, std::uint64_t line)
    {
        if (isBlankCommand(command))
            return;
        if (m_tasks.size() == std::numeric_limits<std::uint32_t>::max() - m_earlier.count) {
            if (!std::exchange(m_tooMany, true))
                m_sink.error(line, 0, "there are more than 4294967295 tasks", "split the list");
            return;
        }
        const auto index = static_cast<std::uint32_t>(m_tasks.size());
        Task& task = m_tasks.emplace_back();
        task.command = command;
        task.settings = m_state.settings();
        task.stage = m_state.stage();
        task.position = index;
        task.line = line;
        if (m_state.linksPending())
            m_written.push_back(m_state.takeLinks(index));
        m_state.taskRead();
    }

    const EarlierTasks& m_earlier;
    DiagnosticSink m_sink;
    TextLines m_lines;
    DirectiveState m_state;
    ShellScanner m_scanner;
    std::vector<Task> m_tasks;
    std::vector<WrittenLinks> m_written;
    bool m_tooMany = false;
};

TaskListParse refused(Error error)
{
    TaskListParse parse;
    parse.diagnostics.push_back({.severity = Severity::Failure,
                                 .place = error.place.value_or(SourcePlace{}),
                                 .message = std::move(error.message),
                                 .remedy = std::move(error.remedy)});
    return parse;
}

} // namespace

bool TaskListParse::usable() const
{
    return std::none_of(diagnostics.begin(), diagnostics.end(),
                        [](const Diagnostic& found) { return found.isError(); });
}

TaskListParse parseTaskList(std::string_view text, std::string file,
                            const TaskListDefaults& defaults, const EarlierTasks& earlier)
{
    return Reader(text, std::move(file), defaults, earlier).read();
}

TaskListParse readTaskList(const std::string& path, const TaskListDefaults& defaults)
{
    const Result<std::string> text = readWholeFile(path);
    if (!text)
        return refused(text.error());
    try {
        return parseTaskList(*text, taskListName(path), defaults);
    } catch (const std::bad_alloc&) {
        return refused(Error{.kind = ErrorKind::Input,
                             .message = "the tasks of the list do not fit in memory",
                             .remedy = "split it",
                             .place = SourcePlace{.file = taskListName(path)}});
    }
}

} // namespace tasuki
