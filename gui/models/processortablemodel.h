// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "systemtreemodel.h"

#include <vector>

namespace tasuki {

/// The processors of a failure hierarchy as a table, a row each, by number. What the tree tells of a
/// processor it tells too, by the same roles. GUI thread.
class ProcessorTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Column : std::uint8_t { Processor, Seat, Kind, State, Subcluster, Unit, Host };
    static constexpr int columns = 7;

    /// @param session, tree  must outlive the model; the tree is of the session
    ProcessorTableModel(const Session& session, const SystemTreeModel& tree,
                        QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    /// @return its row; invalid: there is no such processor
    [[nodiscard]] QModelIndex indexOf(ProcessorId processor) const;

private:
    void renewRows();
    void takeChange(const QModelIndex& first, const QModelIndex& last);
    [[nodiscard]] QVariant own(const SystemProcessor& processor, Column column) const;

    const Session& m_session;
    const SystemTreeModel& m_tree;
    std::vector<ProcessorId> m_rows; ///< ascending
};

} // namespace tasuki
