// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QList>

#include "cellfault.h"

#include <optional>

namespace tasuki {

/// Roles of tables of cells beside Qt's own. EditRole is the exact text to edit.
enum CellRole : int {
    DimRole = Qt::UserRole, ///< bool: what is shown is a default
    OwnRole,                ///< bool: what is shown was given for this cell
    ShareRole,              ///< double: the value's part of the largest one; none: no bar
    HintRole,               ///< QString: what may be typed, for an empty editor
    WrongRole,              ///< QString: what other cells have made wrong with it; empty: nothing
};

/// A table whose cells are checked before they are set, and that can be copied and pasted.
class CellTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    struct Cell {
        int row = 0;
        int column = 0;
        QString text;
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// @return why a cell cannot have this text, for people; empty: it can
    [[nodiscard]] virtual QString problem(const QModelIndex& index, const QString& text) const = 0;
    /// Sets cells as one step of undo, all or none.
    virtual std::optional<CellFault> setCells(const QList<Cell>& cells) = 0;
    /// What the Delete key does.
    /// @return why it does nothing, for people; empty: it was done
    virtual QString clearCells(const QModelIndexList& indexes) = 0;
    /// @return how cells are called in messages: "Speed of grid00"
    [[nodiscard]] virtual QString cellName(int row, int column) const = 0;
    /// Whether cells can be set below the last row, which makes rows.
    [[nodiscard]] virtual bool grows() const { return false; }

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    /// @return the cells with tabs between them, the whole rectangle around the indexes; those that
    ///         are not among them are empty
    [[nodiscard]] QString copy(const QModelIndexList& indexes) const;
    /// Sets the cells from the first of the indexes on; one value fills them all.
    /// @return what is wrong, for people, and nothing was set; empty: it is set
    QString paste(const QModelIndexList& indexes, const QString& text);

protected:
    /// Begins anew whenever rows of a document come or go.
    template <class Document>
    void followRows(const Document& document)
    {
        connect(&document, &Document::aboutToReset, this, [this] { beginResetModel(); });
        connect(&document, &Document::reset, this, [this] { endResetModel(); });
    }
    /// @return rows, ascending, if all cells of each are among these; else none
    [[nodiscard]] QList<int> wholeRows(const QModelIndexList& indexes) const;
};

} // namespace tasuki
