// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/celltablemodel.h"
#include "environmentdocument.h"

namespace tasuki {

/// One figure of all links: a row for each node that sends, a column for each that receives. A
/// matrix, because what one looks for are the slow links among many: sixty-four nodes are a screen
/// of cells, but 4,096 rows of pairs; and because that is how spreadsheets hold them.
class LinkMatrixModel : public CellTableModel {
    Q_OBJECT

public:
    /// @param document  must outlive the model
    explicit LinkMatrixModel(EnvironmentDocument& document, QObject* parent = nullptr);

    [[nodiscard]] LinkFigure figure() const { return m_figure; }
    void setFigure(LinkFigure figure);
    /// Whether edits hold for the way back too.
    [[nodiscard]] bool bothWays() const { return m_bothWays; }
    void setBothWays(bool bothWays) { m_bothWays = bothWays; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    [[nodiscard]] QString problem(const QModelIndex& index, const QString& text) const override;
    std::optional<CellFault> setCells(const QList<Cell>& cells) override;
    /// The links have no figures of their own any more.
    QString clearCells(const QModelIndexList& indexes) override;
    [[nodiscard]] QString cellName(int row, int column) const override;

    /// @return all that is known of the link of a cell, in a sentence
    [[nodiscard]] QString description(const QModelIndex& index) const;
    [[nodiscard]] bool isOwn(const QModelIndex& index) const;
    /// @return how many links have figures of their own
    [[nodiscard]] std::size_t ownLinks() const;

private:
    [[nodiscard]] const plan::LinkSpec& link(const QModelIndex& index) const;
    [[nodiscard]] double value(const plan::LinkSpec& link) const;
    void renew();
    void survey() const;

    EnvironmentDocument& m_document;
    LinkFigure m_figure = LinkFigure::A0;
    bool m_bothWays = true;
    // What is known of all links together, looked up when it is asked for.
    mutable bool m_surveyed = false;
    mutable double m_largest = 0.0;
    mutable std::size_t m_own = 0;
};

} // namespace tasuki
