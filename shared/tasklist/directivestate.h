// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "directive.h"
#include "settingspool.h"
#include "tasklistdefaults.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tasuki {

/// A label that a task comes after, and where that is written.
struct LabelUse {
    std::string label;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
};

/// Links of one task as written: by label.
struct WrittenLinks {
    std::uint32_t task = 0; ///< index in the list
    std::string label;      ///< empty: none
    std::vector<LabelUse> after;
};

/// What the directives read so far mean for the tasks that follow.
class DirectiveState {
public:
    /// @param sink  gets the errors of directives, must outlive this object
    DirectiveState(const TaskListDefaults& defaults, DiagnosticSink& sink);

    void apply(const DirectiveItem& item);

    /// @return the settings that hold here, one object for equal settings
    std::shared_ptr<const TaskSettings> settings();
    /// Number of barriers above.
    [[nodiscard]] std::uint32_t stage() const
    {
        return static_cast<std::uint32_t>(m_barrierLines.size());
    }
    /// The line of each barrier: that before stage n has index n - 1.
    [[nodiscard]] const std::vector<std::uint64_t>& barrierLines() const { return m_barrierLines; }
    /// Whether the next task has links.
    [[nodiscard]] bool linksPending() const
    {
        return !m_pending.label.empty() || !m_pending.after.empty();
    }
    /// Hands over the links of the next task. Precondition: linksPending().
    WrittenLinks takeLinks(std::uint32_t task);
    /// A task was read: a barrier above it waits in vain no longer.
    void taskRead() { m_barrierUsed = true; }
    /// Reports what waits for a task that does not come. Call it after the last line.
    void finish();

private:
    struct Key;
    static const std::vector<Key>& keys();

    void applyRetries(const DirectiveItem& item);
    void applyTimeout(const DirectiveItem& item);
    void applyTime(const DirectiveItem& item);
    void applyWarning(const DirectiveItem& item);
    void applyLabel(const DirectiveItem& item);
    void applyAfter(const DirectiveItem& item);
    void applyBarrier(const DirectiveItem& item);
    void applyWorkingDirectory(const DirectiveItem& item);
    void applyEnvironment(const DirectiveItem& item);
    TaskSettings& change();

    TaskListDefaults m_defaults;
    DiagnosticSink& m_sink;
    TaskSettings m_current;
    std::shared_ptr<const TaskSettings> m_shared; ///< of m_current; null: changed since
    SettingsPool m_pool;
    WrittenLinks m_pending;
    std::uint64_t m_labelLine = 0;
    std::uint64_t m_labelColumn = 0;
    std::vector<std::uint64_t> m_barrierLines;
    std::uint64_t m_barrierColumn = 0;
    bool m_barrierUsed = true;
};

} // namespace tasuki
