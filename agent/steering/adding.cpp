// SPDX-License-Identifier: GPL-3.0-or-later
#include "adding.h"

#include "domain/shellword.h"
#include "domain/visibletext.h"

#include <algorithm>
#include <chrono>

namespace tasuki::steering {

namespace {

/// Of a list that comes fast: so much is added at a time.
constexpr std::size_t pieceBytes = 256U * 1024;
/// A list that comes at once, as a file does, is added at once, up to that size.
constexpr std::chrono::milliseconds quietTime(20);

} // namespace

Adding::Adding(LiveRun& run, std::string name, Hooks hooks)
    : m_run(run), m_name(std::move(name)), m_hooks(std::move(hooks)), m_quiet(run.context())
{}

void Adding::feed(std::string_view bytes)
{
    m_pieces.feed(bytes);
    m_wantsMore = true;
    m_isQuiet = false;
    m_quiet.expires_after(quietTime);
    m_quiet.async_wait([this](boost::system::error_code error) {
        if (error)
            return;
        m_isQuiet = true;
        pump();
    });
    pump();
}

void Adding::finish()
{
    m_finished = true;
    m_quiet.cancel();
    m_pieces.finish();
    pump();
}

bool Adding::done() const
{
    if (m_underWay)
        return false;
    return m_refusal || m_failure || (m_finished && m_pieces.ready() == 0);
}

void Adding::pump()
{
    if (m_refusal || m_failure)
        return;
    const bool due = m_finished || m_isQuiet || m_pieces.ready() >= pieceBytes;
    if (!m_underWay && due && m_pieces.ready() > 0)
        send();
    if (!m_finished && m_pieces.ready() < pieceBytes && std::exchange(m_wantsMore, false))
        m_hooks.more();
}

void Adding::send()
{
    std::optional<ListPiece> piece = m_pieces.next();
    m_underWay = true;
    m_run.link().command(
        AddTasks{.text = std::move(piece->text), .name = m_name, .firstLine = piece->firstLine},
        [this](const Result<CommandAnswer>& answer) { answered(answer); });
}

void Adding::answered(const Result<CommandAnswer>& answer)
{
    m_underWay = false;
    if (!answer)
        m_failure = answer.error();
    else if (!answer->accepted)
        m_refusal = *answer;
    else if (answer->added)
        note(*answer->added);
    else
        m_unnamed = true;
    pump();
}

void Adding::note(const AddedTasks& added)
{
    m_count += added.count;
    const TaskId last(added.first.value() + added.count - 1);
    if (!m_ranges.empty() && m_ranges.back().second.next() == added.first)
        m_ranges.back().second = last;
    else
        m_ranges.emplace_back(added.first, last);
    m_hooks.added(added);
}

Result<std::string> shellLine(const std::vector<std::string>& words)
{
    std::string line;
    for (const std::string& word : words) {
        if (word.find('\n') != std::string::npos || word.find('\0') != std::string::npos)
            return Error{.kind = ErrorKind::Input,
                         .message = "'" + visible(word) + "' has more than one line",
                         .remedy = "a task is one line; put the lines in a script"};
        line += (line.empty() ? "" : " ") + shellWord(word);
    }
    return line;
}

} // namespace tasuki::steering
