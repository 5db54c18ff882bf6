// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "client/session.h"
#include "taskcolumn.h"
#include "taskfilter.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki {

/// Works out which tasks are shown, in which order: filters in slices between turns of the event
/// loop and sorts on another thread. Tasks that change meanwhile may be in wrong places.
class TaskArranger : public QObject {
    Q_OBJECT

public:
    /// What to arrange by.
    struct Order {
        TaskColumn column = TaskColumn::Number;
        Qt::SortOrder direction = Qt::AscendingOrder;
    };

    /// @param session, history, matcher  must outlive the arranger
    TaskArranger(const Session& session, const AttemptHistory& history, const TaskMatcher& matcher,
                 Order order);

    static constexpr std::chrono::milliseconds slice{6};
    static constexpr std::uint32_t tasksPerLook = 256;

Q_SIGNALS:
    /// Task ids in the order of rows. Told once.
    void arranged(const std::vector<std::uint32_t>& rows);

private:
    /// Copies of texts, a few large blocks instead of a million small ones: to free those, or to
    /// take the next large block after they were freed, holds a thread for longer than a frame.
    class Texts {
    public:
        /// @return the copy, which stays where it is when this object is moved
        std::string_view keep(std::string_view text);

    private:
        static constexpr std::size_t blockBytes = 1U << 20U;
        std::vector<std::unique_ptr<char[]>> m_blocks;
        char* m_free = nullptr;
        std::size_t m_left = 0;
    };

    /// Keys of the tasks that match: one of the vectors is used.
    struct Keys {
        std::vector<std::uint32_t> ids;
        std::vector<std::pair<std::uint64_t, std::uint32_t>> numbers;
        std::vector<std::pair<std::string_view, std::uint32_t>> texts;
        Texts bytes; ///< of texts
    };

    void collect();
    void collect(TaskId id);
    void sort();
    static std::vector<std::uint32_t> sorted(Keys keys, Order order);

    const Session& m_session;
    const AttemptHistory& m_history;
    const TaskMatcher& m_matcher;
    Order m_order;
    std::uint32_t m_next = 0;
    Keys m_keys;
    QTimer m_timer;
};

} // namespace tasuki
