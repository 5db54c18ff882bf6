// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include "client/session.h"

#include <optional>
#include <vector>

namespace tasuki {

/// The alarms of a run, open and acknowledged, the oldest first. An acknowledgement that ends makes
/// an alarm open again. Is a sink of the session, which adds and removes itself. GUI thread.
class AlarmListModel : public QAbstractTableModel, public EventSink {
    Q_OBJECT

public:
    enum class Column : std::uint8_t { State, Time, Severity, What, Where, Who, Comment, Until };
    static constexpr int columns = 8;
    enum Role : int {
        SeverityRole = Qt::UserRole, ///< int: Severity
        OpenRole,                    ///< bool: not acknowledged
        RankRole,                    ///< int, or invalid: whose rows of the timeline it is about
        WallTimeRole,                ///< qint64: microseconds since 1970
        SortRole,                    ///< what a column is sorted by
    };

    /// @param session  must outlive the model
    explicit AlarmListModel(Session& session, QObject* parent = nullptr);
    ~AlarmListModel() override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    /// Precondition: row < rowCount().
    [[nodiscard]] const Alarm& alarmAt(int row) const;
    /// @return an alarm in a line, e.g. "processor 7 (node0): lost, its process ended"
    [[nodiscard]] QString describe(EventId alarm) const;
    /// How many are not acknowledged.
    [[nodiscard]] std::size_t open() const { return m_open; }
    /// Looks whether acknowledgements have ended.
    void refresh();

    void take(const Event& event) override;
    void reset() override;

Q_SIGNALS:
    void openChanged();

private:
    /// What an alarm is about, by the names that held when it was raised.
    struct Entry {
        EventId id;
        ProcessorLabel processor;
        SeatLabel seat;
        std::optional<Rank> rank; ///< that was lost; of a subcluster: its first
        QString text;             ///< name of a subcluster, or what a notice says
        QString why;
        Health health = Health::Lost;
        HealthCause cause = HealthCause::None;
        bool givenUp = false;
        bool shownOpen = true;
    };

    [[nodiscard]] Entry describeEvent(const Event& event) const;
    [[nodiscard]] const Alarm& alarmOf(const Entry& entry) const;
    [[nodiscard]] QVariant display(const Entry& entry, Column column) const;
    [[nodiscard]] QVariant sortKey(const Entry& entry, Column column) const;
    [[nodiscard]] QString what(const Entry& entry) const;
    [[nodiscard]] QString where(const Entry& entry) const;
    [[nodiscard]] QString until(const Alarm& alarm) const;
    void announce();

    Session& m_session;
    std::vector<Entry> m_entries;
    int m_announced = 0;             ///< rows that the views know
    std::vector<EventId> m_answered; ///< acknowledged since the last announcement
    std::size_t m_open = 0;
    QTimer m_timer;
};

} // namespace tasuki
