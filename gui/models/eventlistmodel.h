// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "client/session.h"

#include <deque>
#include <vector>

namespace tasuki {

/// What happened in a run, the oldest first: by itself only what an operator should notice (lives
/// of the run, processors, notices, attempts that did not succeed, operators' doings, skipped
/// tasks), on demand everything. Is a sink of the session, which adds and removes itself.
/// GUI thread.
class EventListModel : public QAbstractTableModel, public EventSink {
    Q_OBJECT

public:
    enum class Column : std::uint8_t { Time, Severity, Subject, Text };
    static constexpr int columns = 4;
    enum Role : int {
        SeverityRole = Qt::UserRole, ///< int: Severity
        TaskRole,                    ///< uint, or invalid
        AttemptRole,                 ///< uint, or invalid
        RankRole,                    ///< int, or invalid
        WallTimeRole,                ///< qint64: microseconds since 1970
    };

    /// @param session  must outlive the model
    explicit EventListModel(Session& session, QObject* parent = nullptr);
    ~EventListModel() override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    /// Whether everything is shown or only what is notable.
    void setShowAll(bool all);
    [[nodiscard]] bool showsAll() const { return m_showAll; }
    /// Only events at least so loud are shown, of the notable ones.
    void setLeastSeverity(Severity severity);
    [[nodiscard]] Severity leastSeverity() const { return m_least; }

    void take(const Event& event) override;
    void reset() override;

private:
    /// One event in 40 bytes; what `a` and `b` mean depends on the kind.
    struct Entry {
        std::int64_t wallUs = 0;
        std::uint32_t task = 0;
        std::int32_t rank = 0;
        std::uint32_t a = 0;
        std::int64_t b = 0;
        std::uint8_t kind = 0; ///< index in EventPayload
        Severity severity = Severity::Information;
        std::uint8_t detail = 0;
        Disposition disposition = Disposition::Final;
        std::uint8_t without = 0; ///< bits: no task, no rank
        bool notable = false;
    };
    struct Describe;

    [[nodiscard]] bool shown(const Entry& entry) const;
    [[nodiscard]] const Entry& entryAt(int row) const;
    [[nodiscard]] QString subject(const Entry& entry) const;
    [[nodiscard]] QString rankName(const Entry& entry) const;
    [[nodiscard]] QString text(const Entry& entry) const;
    [[nodiscard]] QString attemptText(const Entry& entry) const;
    void announce();
    void refill();

    Session& m_session;
    std::deque<Entry> m_entries;
    std::vector<std::uint32_t> m_filtered; ///< indices of shown entries, unless all are
    std::vector<QString> m_strings;
    std::size_t m_announced = 0; ///< rows that the views know
    bool m_showAll = false;
    Severity m_least = Severity::Information;
    bool m_tasksSeen = false; ///< there is something to resume
    bool m_processorsSeen =
        false; ///< in this life: from then on changes of tasks are an operator's
};

} // namespace tasuki
