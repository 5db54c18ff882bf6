// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskfilter.h"

#include <QCoreApplication>

#include <algorithm>

namespace tasuki {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

} // namespace

TaskMatcher::TaskMatcher(const TaskFilter& filter) : m_filter(filter)
{
    const QString& text = filter.text;
    if (text.size() >= 3 && text.startsWith(QLatin1Char('/')) && text.endsWith(QLatin1Char('/'))) {
        m_expression.emplace(text.mid(1, text.size() - 2),
                             QRegularExpression::CaseInsensitiveOption
                                 | QRegularExpression::UseUnicodePropertiesOption);
        if (!m_expression->isValid())
            m_problem = QCoreApplication::translate("TaskMatcher",
                                                    "%1, at character %2 of the expression")
                            .arg(m_expression->errorString())
                            .arg(m_expression->patternErrorOffset() + 1);
        else
            m_expression->optimize();
        return;
    }
    const bool ascii = std::ranges::all_of(text, [](QChar c) { return c.unicode() < 0x80; });
    if (ascii)
        m_asciiNeedle = text.toLower().toStdString();
}

bool TaskMatcher::matches(const TaskRecord& record, const AttemptEntry* latest) const
{
    if (!m_problem.isEmpty())
        return false;
    const auto state = static_cast<std::size_t>(record.state);
    if (m_filter.states.none() ? record.state == TaskState::Removed : !m_filter.states.test(state))
        return false;
    if (m_filter.rank && (!latest || latest->rank != *m_filter.rank))
        return false;
    if (m_filter.text.isEmpty())
        return true;
    return contains(record.task.command)
        || (record.task.links && contains(record.task.links->label))
        || contains(record.task.settings->workingDirectory);
}

bool TaskMatcher::contains(const std::string& bytes) const
{
    if (!m_asciiNeedle.empty())
        return std::search(bytes.begin(), bytes.end(), m_asciiNeedle.begin(), m_asciiNeedle.end(),
                           [](char a, char b) { return lower(a) == b; })
            != bytes.end();
    const QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    if (m_expression)
        return m_expression->match(text).hasMatch();
    return text.contains(m_filter.text, Qt::CaseInsensitive);
}

} // namespace tasuki
