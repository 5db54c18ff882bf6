// SPDX-License-Identifier: GPL-3.0-or-later
#include "directivestate.h"

#include "domain/nearest.h"
#include "domain/shellword.h"
#include "duration.h"
#include "retries.h"
#include "warning.h"

#include <algorithm>

namespace tasuki {

namespace {

constexpr std::string_view defaultWord = "default";
constexpr std::string_view noneWord = "none";

} // namespace

/// One key that a directive may have.
struct DirectiveState::Key {
    std::string_view name;
    std::string_view value; ///< what is to be written behind it; empty: it takes no value
    void (DirectiveState::*apply)(const DirectiveItem&);
};

const std::vector<DirectiveState::Key>& DirectiveState::keys()
{
    static const std::vector<Key> table{
        {"retries", "N", &DirectiveState::applyRetries},
        {"timeout", "DURATION", &DirectiveState::applyTimeout},
        {"time", "DURATION", &DirectiveState::applyTime},
        {"warn", "SIGNAL@DURATION", &DirectiveState::applyWarning},
        {"label", "NAME", &DirectiveState::applyLabel},
        {"after", "NAME,NAME", &DirectiveState::applyAfter},
        {"barrier", "", &DirectiveState::applyBarrier},
        {"cwd", "DIRECTORY", &DirectiveState::applyWorkingDirectory},
        {"env", "NAME=VALUE", &DirectiveState::applyEnvironment},
    };
    return table;
}

DirectiveState::DirectiveState(const TaskListDefaults& defaults, DiagnosticSink& sink)
    : m_defaults(defaults), m_sink(sink), m_current(defaults.settings())
{}

void DirectiveState::apply(const DirectiveItem& item)
{
    const auto& table = keys();
    const auto key = std::find_if(table.begin(), table.end(),
                                  [&](const Key& known) { return known.name == item.key; });
    if (key == table.end()) {
        std::vector<std::string_view> names;
        for (const Key& known : table)
            names.push_back(known.name);
        m_sink.error(item.line, item.keyColumn, "there is no directive \"" + item.key + "\"",
                     "the nearest is \"" + std::string(nearestName(item.key, names))
                         + "\"; there are retries, timeout, time, warn, label, after, barrier, "
                           "cwd and env");
        return;
    }
    if (key->value.empty() && item.hasValue) {
        m_sink.error(item.line, item.valueColumn, "\"" + item.key + "\" takes no value",
                     "write " + item.key + " alone");
        return;
    }
    if (!key->value.empty() && !item.hasValue) {
        m_sink.error(item.line, item.keyColumn, "\"" + item.key + "\" needs a value",
                     "write " + item.key + "=" + std::string(key->value));
        return;
    }
    (this->*key->apply)(item);
}

TaskSettings& DirectiveState::change()
{
    m_shared.reset();
    return m_current;
}

std::shared_ptr<const TaskSettings> DirectiveState::settings()
{
    if (!m_shared)
        m_shared = m_pool.share(m_current);
    return m_shared;
}

void DirectiveState::applyRetries(const DirectiveItem& item)
{
    if (item.value == defaultWord) {
        change().retries = m_defaults.retries;
        return;
    }
    const Result<RetryBudget> budget = parseRetries(item.value, m_defaults.retries);
    if (budget)
        change().retries = *budget;
    else
        m_sink.error(item.line, item.valueColumn, budget.error().message,
                     budget.error().remedy + ", or default");
}

void DirectiveState::applyTimeout(const DirectiveItem& item)
{
    if (item.value == defaultWord) {
        change().timeout = m_defaults.timeout;
        return;
    }
    if (item.value == noneWord) {
        change().timeout.reset();
        return;
    }
    const Result<std::chrono::milliseconds> limit = parseDuration(item.value);
    if (limit)
        change().timeout = *limit;
    else
        m_sink.error(item.line, item.valueColumn, limit.error().message,
                     limit.error().remedy + "; none means no limit");
}

void DirectiveState::applyTime(const DirectiveItem& item)
{
    if (item.value == noneWord || item.value == defaultWord) {
        change().expectedTime.reset();
        return;
    }
    const Result<std::chrono::milliseconds> time = parseDuration(item.value);
    if (time)
        change().expectedTime = *time;
    else
        m_sink.error(item.line, item.valueColumn, time.error().message,
                     time.error().remedy + "; none means that it is learnt");
}

void DirectiveState::applyWarning(const DirectiveItem& item)
{
    if (item.value == noneWord || item.value == defaultWord) {
        change().warning.reset();
        return;
    }
    const Result<EndWarning> warning = parseWarning(item.value);
    if (warning)
        change().warning = *warning;
    else
        m_sink.error(item.line, item.valueColumn, warning.error().message,
                     warning.error().remedy + "; none means no warning");
}

void DirectiveState::applyLabel(const DirectiveItem& item)
{
    const std::size_t comma = item.value.find(',');
    if (item.value.empty()) {
        m_sink.error(item.line, item.valueColumn, "the label is empty", "write label=NAME");
    } else if (comma != std::string::npos) {
        m_sink.error(item.line, item.columnOf(comma), "a label cannot have a comma",
                     "after= uses it to separate labels; a task has one label");
    } else if (!m_pending.label.empty()) {
        m_sink.error(item.line, item.keyColumn,
                     "the next task already has the label \"" + m_pending.label + "\" of line "
                         + std::to_string(m_labelLine),
                     "a task has one label; remove one of them");
    } else {
        m_pending.label = item.value;
        m_labelLine = item.line;
        m_labelColumn = item.keyColumn;
    }
}

void DirectiveState::applyAfter(const DirectiveItem& item)
{
    for (std::size_t at = 0; at <= item.value.size();) {
        const std::size_t end = std::min(item.value.find(',', at), item.value.size());
        if (end == at)
            m_sink.error(item.line, item.columnOf(at), "the name of a label was expected",
                         "write after=NAME or after=NAME,NAME");
        else
            m_pending.after.push_back({.label = item.value.substr(at, end - at),
                                       .line = item.line,
                                       .column = item.columnOf(at)});
        at = end + 1;
    }
}

void DirectiveState::applyBarrier(const DirectiveItem& item)
{
    m_barrierLines.push_back(item.line);
    m_barrierColumn = item.keyColumn;
    m_barrierUsed = false;
}

void DirectiveState::applyWorkingDirectory(const DirectiveItem& item)
{
    // A directory of that name can be written in quotes.
    if (item.value == defaultWord && !item.quoted)
        change().workingDirectory.clear();
    else if (item.value.empty())
        m_sink.error(
            item.line, item.valueColumn, "the directory is empty",
            "write cwd=DIRECTORY, or cwd=default for the one in which the run was started");
    else
        change().workingDirectory = item.value;
}

void DirectiveState::applyEnvironment(const DirectiveItem& item)
{
    if (item.value == defaultWord) {
        change().environment.clear();
        return;
    }
    const std::size_t equals = item.value.find('=');
    if (equals == std::string::npos) {
        m_sink.error(item.line, item.valueColumn, "\"" + item.value + "\" sets no variable",
                     "write env=NAME=VALUE, or env=default to clear what was set");
        return;
    }
    const std::string name = item.value.substr(0, equals);
    if (!isVariableName(name)) {
        m_sink.error(item.line, item.valueColumn,
                     "\"" + name + "\" cannot be the name of a variable",
                     "write env=NAME=VALUE; a name has letters, digits and _, and begins with no "
                     "digit");
        return;
    }
    auto& environment = change().environment;
    const auto known = std::find_if(environment.begin(), environment.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (known == environment.end())
        environment.emplace_back(name, item.value.substr(equals + 1));
    else
        known->second = item.value.substr(equals + 1);
}

WrittenLinks DirectiveState::takeLinks(std::uint32_t task)
{
    m_pending.task = task;
    return std::exchange(m_pending, {});
}

void DirectiveState::finish()
{
    if (!m_pending.label.empty())
        m_sink.error(m_labelLine, m_labelColumn,
                     "no task follows for the label \"" + m_pending.label + "\"",
                     "a label belongs to the next task; remove it or add the task");
    if (!m_pending.after.empty())
        m_sink.error(m_pending.after.front().line, m_pending.after.front().column,
                     "no task follows that comes after \"" + m_pending.after.front().label + "\"",
                     "after belongs to the next task; remove it or add the task");
    if (!m_barrierUsed)
        m_sink.warning(m_barrierLines.back(), m_barrierColumn, "no task follows the barrier",
                       "remove it");
}

} // namespace tasuki
