// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "client/session.h"

#include <map>
#include <optional>
#include <vector>

namespace tasuki {

/// The seats that were taken over, became vacant or were given up in a run, and the successions of
/// system masters, the oldest first. Is a sink of the session, which adds and removes itself. GUI
/// thread.
class FailoverListModel : public QAbstractTableModel, public EventSink {
    Q_OBJECT

public:
    enum class Column : std::uint8_t {
        Time,
        Subcluster,
        Seat,
        From,
        Cause,
        To,
        Detection,
        Takeover,
        Lost,
    };
    static constexpr int columns = 9;
    enum Role : int {
        RankRole = Qt::UserRole, ///< int, or invalid: not the seat of a rank
        WallTimeRole,            ///< qint64: microseconds since 1970
        SeverityRole,            ///< int: Severity
        SortRole,                ///< what a column is sorted by
    };

    /// @param session  must outlive the model
    explicit FailoverListModel(Session& session, QObject* parent = nullptr);
    ~FailoverListModel() override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    void take(const Event& event) override;
    void reset() override;

private:
    struct Entry {
        WallTime at{};
        bool ofSystem = false; ///< the place of the system master: there is no seat
        QString subcluster;
        SeatLabel seat; ///< without its subcluster
        std::optional<Rank> rank;
        Incarnation incarnation;
        ProcessorLabel from;
        std::optional<ProcessorLabel> to; ///< none: nobody
        bool givenUp = false;
        HealthCause cause = HealthCause::None;
        std::optional<WallTime> lostAt; ///< none: not known
        std::chrono::microseconds detection = notKnown;
        std::chrono::microseconds takeover = notKnown;
    };

    [[nodiscard]] Entry about(const Event& event, SeatId seat, ProcessorId from) const;
    [[nodiscard]] Entry succession(const Event& event, const MasterChanged& master) const;
    void announce();
    [[nodiscard]] QVariant display(const Entry& entry, Column column) const;
    [[nodiscard]] QVariant sortKey(const Entry& entry, Column column) const;
    [[nodiscard]] QVariant exported(const Entry& entry, Column column) const;

    Session& m_session;
    std::vector<Entry> m_entries;
    int m_announced = 0; ///< rows that the views know
    /// How long it took to find that a processor was lost: a seat that becomes vacant does not say.
    std::map<ProcessorId, std::chrono::microseconds> m_detections;
};

} // namespace tasuki
