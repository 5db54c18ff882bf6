// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/celltablemodel.h"
#include "environmentdocument.h"

namespace tasuki {

/// The nodes of an environment: a row each, a column for each NodeField. What is pasted below the
/// last row makes nodes.
class NodeTableModel : public CellTableModel {
    Q_OBJECT

public:
    /// @param document  must outlive the model
    explicit NodeTableModel(EnvironmentDocument& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    [[nodiscard]] QString problem(const QModelIndex& index, const QString& text) const override;
    std::optional<CellFault> setCells(const QList<Cell>& cells) override;
    /// Removes nodes of which all cells are among these; else empties the cells that can be.
    QString clearCells(const QModelIndexList& indexes) override;
    [[nodiscard]] QString cellName(int row, int column) const override;
    [[nodiscard]] bool grows() const override { return true; }

private:
    EnvironmentDocument& m_document;
};

} // namespace tasuki
