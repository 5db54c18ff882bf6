// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QTimer>

#include "activitymeter.h"
#include "client/session.h"

#include <memory>
#include <vector>

namespace tasuki {

/// The run, its hosts and their ranks as a tree. Figures are renewed at 2 Hz. GUI thread.
class ProcessorTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum class Column : std::uint8_t { Name, State, Slots, Running, Done, Busy };
    static constexpr int columns = 6;
    /// How a processor is, for colour and shape.
    enum class Health : std::uint8_t { Idle, Busy, Left, Lost };
    enum class Level : std::uint8_t { Run, Host, Processor };
    enum Role : int {
        HealthRole = Qt::UserRole, ///< int: Health; of a host: its worst
        LevelRole,                 ///< int: Level
        RankRole,                  ///< int, or invalid
        BusyShareRole,             ///< double 0 to 1 over the last ten seconds, or invalid
        NumberRole,                ///< number of a numeric column
    };

    /// @param session, meter  must outlive the model; the meter is a sink of the session
    ProcessorTreeModel(const Session& session, const ActivityMeter& meter,
                       QObject* parent = nullptr);
    ~ProcessorTreeModel() override;

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    /// @return the index of a rank; invalid: not in the tree
    [[nodiscard]] QModelIndex indexOf(Rank rank) const;
    /// Renews all figures now.
    void refresh();

private:
    struct Figures {
        Health health = Health::Idle;
        LossCause lossCause = LossCause::Gone;
        std::uint32_t incarnation = 0;
        std::int64_t pid = 0;
        std::uint32_t slots = 0;
        std::uint32_t running = 0;
        std::uint64_t done = 0;
        std::uint64_t failed = 0;
        double busy = 0;
        bool operator==(const Figures&) const = default;
    };
    struct RankNode {
        Rank rank;
        Figures figures;
    };
    struct HostNode {
        QString name;
        std::vector<RankNode> ranks;
        Figures figures;
    };

    void rebuildStructure();
    void insertRank(const QString& host, Rank rank);
    void removeRank(std::size_t host, std::size_t rank);
    [[nodiscard]] Figures figuresOf(Rank rank, const ProcessorRecord& record, WallTime now) const;
    [[nodiscard]] const Figures& figuresAt(const QModelIndex& index) const;
    [[nodiscard]] static Figures plus(Figures sum, const Figures& figures);
    /// @return its sum
    Figures refreshHost(std::size_t host, WallTime now);
    [[nodiscard]] Level levelOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex runIndex(int column) const;
    [[nodiscard]] QModelIndex hostIndex(std::size_t host, int column) const;
    [[nodiscard]] QModelIndex rankIndex(std::size_t host, std::size_t rank, int column) const;
    [[nodiscard]] std::size_t hostOf(const QModelIndex& rank) const;
    /// Null: no index of a rank.
    [[nodiscard]] const RankNode* rankAt(const QModelIndex& index) const;
    [[nodiscard]] QVariant display(const QModelIndex& index) const;
    [[nodiscard]] QString stateText(const QModelIndex& index) const;

    const Session& m_session;
    const ActivityMeter& m_meter;
    std::vector<std::unique_ptr<HostNode>> m_hosts; ///< by name
    Figures m_run;
    QTimer m_timer;
};

} // namespace tasuki
