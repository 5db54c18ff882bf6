// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskarranger.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>

namespace tasuki {

namespace {

template <class Key>
std::vector<std::uint32_t> idsInOrder(std::vector<std::pair<Key, std::uint32_t>> keys,
                                      Qt::SortOrder direction)
{
    // Equal keys: by number in either direction.
    std::ranges::sort(keys, [direction](const auto& a, const auto& b) {
        if (a.first == b.first)
            return a.second < b.second;
        return (a.first < b.first) == (direction == Qt::AscendingOrder);
    });
    std::vector<std::uint32_t> ids;
    ids.reserve(keys.size());
    for (const auto& key : keys)
        ids.push_back(key.second);
    return ids;
}

} // namespace

std::string_view TaskArranger::Texts::keep(std::string_view text)
{
    if (text.size() > m_left) {
        m_left = std::max(blockBytes, text.size());
        m_blocks.push_back(std::make_unique<char[]>(m_left));
        m_free = m_blocks.back().get();
    }
    const std::string_view kept(m_free, text.size());
    std::ranges::copy(text, m_free);
    m_free += text.size();
    m_left -= text.size();
    return kept;
}

TaskArranger::TaskArranger(const Session& session, const AttemptHistory& history,
                           const TaskMatcher& matcher, Order order)
    : m_session(session), m_history(history), m_matcher(matcher), m_order(order)
{
    // All at once: a vector that grows moves a million strings within one slice.
    const std::size_t most = session.state().tasks().size();
    if (order.column == TaskColumn::Number)
        m_keys.ids.reserve(most);
    else if (sortsByText(order.column))
        m_keys.texts.reserve(most);
    else
        m_keys.numbers.reserve(most);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, qOverload<>(&TaskArranger::collect));
    m_timer.start(0);
}

void TaskArranger::collect()
{
    const auto end = std::chrono::steady_clock::now() + slice;
    const auto& tasks = m_session.state().tasks();
    while (m_next < tasks.size()) {
        collect(TaskId(m_next++));
        if (m_next % tasksPerLook == 0 && std::chrono::steady_clock::now() >= end) {
            m_timer.start(0);
            return;
        }
    }
    sort();
}

void TaskArranger::collect(TaskId id)
{
    const TaskRecord& record = m_session.state().task(id);
    const AttemptEntry* latest = m_history.latest(id);
    if (!m_matcher.matches(record, latest))
        return;
    if (m_order.column == TaskColumn::Number) {
        m_keys.ids.push_back(id.value());
        return;
    }
    const TaskView view{.id = id,
                        .record = record,
                        .latest = latest,
                        .holder = latest ? &m_history.holder(*latest) : nullptr};
    if (sortsByText(m_order.column)) {
        std::string buffer;
        m_keys.texts.emplace_back(m_keys.bytes.keep(sortText(view, m_order.column, buffer)),
                                  id.value());
    } else {
        m_keys.numbers.emplace_back(sortNumber(view, m_order.column), id.value());
    }
}

void TaskArranger::sort()
{
    // Not copyable, as the pool wants it, but shared.
    auto keys = std::make_shared<Keys>(std::move(m_keys));
    QThreadPool::globalInstance()->start([self = QPointer<TaskArranger>(this), order = m_order,
                                          context = QCoreApplication::instance(), keys] {
        QMetaObject::invokeMethod(context, [self, rows = sorted(std::move(*keys), order)] {
            if (self)
                Q_EMIT self->arranged(rows);
        });
    });
}

std::vector<std::uint32_t> TaskArranger::sorted(Keys keys, Order order)
{
    if (sortsByText(order.column))
        return idsInOrder(std::move(keys.texts), order.direction);
    if (order.column != TaskColumn::Number)
        return idsInOrder(std::move(keys.numbers), order.direction);
    if (order.direction == Qt::DescendingOrder)
        std::ranges::reverse(keys.ids);
    return std::move(keys.ids);
}

} // namespace tasuki
