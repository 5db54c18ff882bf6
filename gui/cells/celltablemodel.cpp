// SPDX-License-Identifier: GPL-3.0-or-later
#include "celltablemodel.h"

#include <QMap>

#include <algorithm>
#include <limits>
#include <vector>

namespace tasuki {

namespace {

struct CellArea {
    int top = std::numeric_limits<int>::max();
    int left = std::numeric_limits<int>::max();
    int bottom = -1;
    int right = -1;
};

CellArea areaOf(const QModelIndexList& indexes)
{
    CellArea area;
    for (const QModelIndex& index : indexes) {
        area.top = std::min(area.top, index.row());
        area.left = std::min(area.left, index.column());
        area.bottom = std::max(area.bottom, index.row());
        area.right = std::max(area.right, index.column());
    }
    return area;
}

QList<QStringList> linesOf(QString text)
{
    text.remove(QLatin1Char('\r'));
    if (text.endsWith(QLatin1Char('\n')))
        text.chop(1);
    QList<QStringList> lines;
    for (const QString& line : text.split(QLatin1Char('\n')))
        lines << line.split(QLatin1Char('\t'));
    return lines;
}

} // namespace

Qt::ItemFlags CellTableModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsEditable : flags;
}

bool CellTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid())
        return false;
    return !setCells({{index.row(), index.column(), value.toString()}});
}

QString CellTableModel::copy(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return {};
    const CellArea area = areaOf(indexes);
    const auto width = static_cast<std::size_t>(area.right - area.left + 1);
    const auto height = static_cast<std::size_t>(area.bottom - area.top + 1);
    std::vector<QString> cells(width * height);
    for (const QModelIndex& index : indexes) {
        cells[static_cast<std::size_t>(index.row() - area.top) * width
              + static_cast<std::size_t>(index.column() - area.left)] =
            index.data(Qt::EditRole).toString();
    }
    QString text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        text += cells[i];
        if (cells.size() > 1)
            text += (i + 1) % width == 0 ? QLatin1Char('\n') : QLatin1Char('\t');
    }
    return text;
}

QList<int> CellTableModel::wholeRows(const QModelIndexList& indexes) const
{
    QMap<int, int> cellsOfRow;
    for (const QModelIndex& index : indexes)
        ++cellsOfRow[index.row()];
    const bool whole = std::ranges::all_of(cellsOfRow,
                                           [this](int cells) { return cells == columnCount(); });
    return whole ? cellsOfRow.keys() : QList<int>();
}

QString CellTableModel::paste(const QModelIndexList& indexes, const QString& text)
{
    if (indexes.isEmpty() || text.isEmpty())
        return tr("There is nothing to paste.");
    const CellArea area = areaOf(indexes);
    const QList<QStringList> lines = linesOf(text);
    QList<Cell> cells;
    if (lines.size() == 1 && lines[0].size() == 1) {
        for (const QModelIndex& index : indexes)
            cells << Cell{index.row(), index.column(), lines[0][0]};
    } else {
        int row = area.top;
        for (const QStringList& line : lines) {
            if (row >= rowCount() && !grows()) {
                return tr("Nothing was pasted: there are %n row(s), but fewer from this cell on.",
                          nullptr, static_cast<int>(lines.size()));
            }
            if (line.size() > columnCount() - area.left) {
                return tr("Nothing was pasted: there are %n column(s), but fewer from this cell "
                          "on.",
                          nullptr, static_cast<int>(line.size()));
            }
            int column = area.left;
            for (const QString& cell : line)
                cells << Cell{row, column++, cell};
            ++row;
        }
    }
    const auto fault = setCells(cells);
    if (!fault)
        return {};
    const Cell& wrong = cells[static_cast<qsizetype>(fault->cell)];
    return tr("Nothing was pasted. %1, \"%2\": %3")
        .arg(cellName(wrong.row, wrong.column), wrong.text, fault->reason);
}

} // namespace tasuki
