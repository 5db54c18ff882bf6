// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QTimer>

#include "client/session.h"
#include "systemtree.h"

namespace tasuki {

/// A word beside a processor's seat.
struct SystemBadge {
    enum class Kind : std::uint8_t { Holder, Master, Role, Drained };
    Kind kind = Kind::Role;
    QString text;
    bool operator==(const SystemBadge&) const = default;
};

/// The failure hierarchy of a run as a tree: the system, its subclusters, their units, the
/// processors of these. Empty for a run without one. Health is renewed when it changes, figures at
/// 2 Hz too. GUI thread.
class SystemTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum class Column : std::uint8_t { Name, Seat, State, Slots, Running, Done, Busy, Program };
    static constexpr int columns = 8;
    using Level = SystemNode::Level;
    enum Role : int {
        ConditionRole = Qt::UserRole, ///< int: Condition; of a part: the worst in it
        LevelRole,                    ///< int: Level
        NumberOfRole,                 ///< uint: of the subcluster, unit or processor
        RankRole,                     ///< int, or invalid: of the rank that a processor holds
        ProcessorRole,                ///< uint, or invalid
        BadgesRole,                   ///< QList<SystemBadge>
        BusyShareRole,                ///< double 0 to 1 over the last ten seconds, or invalid
        NumberRole,                   ///< number of a numeric column
    };

    /// @param session, meter  must outlive the model; the meter is a sink of the session
    SystemTreeModel(const Session& session, const ActivityMeter& meter, QObject* parent = nullptr);
    ~SystemTreeModel() override;

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    /// @return the index of a processor; invalid: not in the tree
    [[nodiscard]] QModelIndex indexOf(ProcessorId processor) const;
    /// @return the index of who holds a rank; invalid: nobody
    [[nodiscard]] QModelIndex indexOf(Rank rank) const;
    [[nodiscard]] std::size_t processorCount() const { return m_tree.processorCount(); }
    /// Renews everything now.
    void refresh();

Q_SIGNALS:
    /// Programs of worlds have been told of for the first time.
    void programsAppeared();

private:
    [[nodiscard]] QModelIndex indexOf(const SystemNode* node, int column) const;
    [[nodiscard]] bool isRank(std::optional<SeatId> seat) const;
    [[nodiscard]] QVariant number(const SystemFigures& figures, Column column) const;

    const Session& m_session;
    const ActivityMeter& m_meter;
    SystemTree m_tree;
    bool m_hasPrograms = false;
    QTimer m_timer;
};

} // namespace tasuki
