// SPDX-License-Identifier: GPL-3.0-or-later
#include "celldelegate.h"

#include "celltablemodel.h"
#include "reasonbubble.h"
#include "views/theme.h"

#include <QPainter>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int ownMarkWidth = 3;
constexpr int barHeight = 2;
constexpr int editorCharacters = 14;

const CellTableModel& cellsOf(const QModelIndex& index)
{
    return *qobject_cast<const CellTableModel*>(index.model());
}

} // namespace

void CellDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideRight;
    if (index.data(OwnRole).toBool())
        option->font.setBold(true);
    if (!index.data(WrongRole).toString().isEmpty())
        option->backgroundBrush = theme::tint(theme::Tint::Failure, option->palette);
    if (index.data(DimRole).toBool())
        option->palette.setColor(QPalette::Text, theme::dim(option->palette));
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QColor mark = option.palette.color(selected ? QPalette::HighlightedText
                                                      : QPalette::Highlight);
    if (index.data(OwnRole).toBool()) {
        QRect edge = option.rect;
        edge.setWidth(ownMarkWidth);
        painter->fillRect(edge, mark);
    }
    if (const QVariant share = index.data(ShareRole); share.isValid()) {
        QRectF bar = QRectF(option.rect).adjusted(ownMarkWidth + 3, 0, -3, -1);
        bar.setTop(bar.bottom() - barHeight);
        bar.setLeft(bar.right() - bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
        const bool isDefault = index.data(DimRole).toBool();
        painter->fillRect(bar,
                          selected        ? mark
                              : isDefault ? option.palette.color(QPalette::Mid)
                                          : theme::dim(option.palette));
    }
    if (!index.data(WrongRole).toString().isEmpty()) {
        painter->save();
        painter->setPen(QPen(theme::wrong(option.palette), 2));
        painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        painter->restore();
    }
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->save();
        painter->setPen(QPen(option.palette.color(QPalette::Text), 1));
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        painter->restore();
    }
}

QWidget* CellDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                    const QModelIndex& index) const
{
    const QPersistentModelIndex cell(index);
    auto* editor = new CheckedLine(
        [cell](const QString& text) {
            return cell.isValid() ? cellsOf(cell).problem(cell, text) : QString();
        },
        parent);
    editor->setFrame(false);
    editor->setAlignment(static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt()));
    editor->setPlaceholderText(index.data(HintRole).toString());
    editor->setAccessibleName(cellsOf(index).cellName(index.row(), index.column()));
    editor->setMinimumWidth(parent->fontMetrics().averageCharWidth() * editorCharacters);
    new ReasonBubble(*editor);
    return editor;
}

void CellDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    auto* line = qobject_cast<CheckedLine*>(editor);
    // What is being typed is not overwritten when other cells change.
    if (line == nullptr || line->isModified())
        return;
    line->setText(index.data(Qt::EditRole).toString());
    line->selectAll();
}

void CellDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                const QModelIndex& index) const
{
    const auto* line = qobject_cast<const CheckedLine*>(editor);
    if (line->problem().isEmpty() && line->text() != index.data(Qt::EditRole).toString())
        model->setData(index, line->text(), Qt::EditRole);
}

void CellDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                        const QModelIndex&) const
{
    QRect place = option.rect;
    const QRect room = editor->parentWidget()->rect();
    place.setWidth(std::min(std::max(place.width(), editor->minimumWidth()), room.width()));
    // The editor grows over its neighbours, but stays within the table.
    if (place.left() < room.right())
        place.moveRight(std::min(place.right(), std::max(room.right(), option.rect.left())));
    editor->setGeometry(place);
}

} // namespace tasuki
