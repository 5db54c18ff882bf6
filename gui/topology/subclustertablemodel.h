// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/celltablemodel.h"
#include "editedtopology.h"

namespace tasuki {

/// The subclusters of a topology: a row each, a column for each of subclusterFields. What is pasted
/// below the last row makes subclusters. Of a running system, what it does not take on is dim.
class SubclusterTableModel : public CellTableModel {
    Q_OBJECT

public:
    /// @param document  must outlive the model
    explicit SubclusterTableModel(EditedTopology& document, QObject* parent = nullptr);

    [[nodiscard]] static int columnOf(config::TopologyField field);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    /// Dedicated masters are ticked, all else is typed.
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    [[nodiscard]] QString problem(const QModelIndex& index, const QString& text) const override;
    std::optional<CellFault> setCells(const QList<Cell>& cells) override;
    /// Removes subclusters of which all cells are among these; else empties the cells that can be.
    QString clearCells(const QModelIndexList& indexes) override;
    [[nodiscard]] QString cellName(int row, int column) const override;
    [[nodiscard]] bool grows() const override { return !m_document.isOfRunningSystem(); }

private:
    [[nodiscard]] static TopologyPlace placeOf(const QModelIndex& index);
    [[nodiscard]] QString toolTip(const QModelIndex& index) const;
    /// @return what others have made wrong with a cell, for people; empty: nothing
    [[nodiscard]] QString faultOf(const QModelIndex& index) const;
    [[nodiscard]] const config::SubclusterSpec& spec(int row) const;

    EditedTopology& m_document;
};

} // namespace tasuki
