// SPDX-License-Identifier: GPL-3.0-or-later
#include "celltableview.h"

#include "celldelegate.h"
#include "checkedline.h"
#include "views/headerlayout.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace tasuki {

namespace {

/// A header of rows with room beside its texts.
class RowHeader : public QHeaderView {
public:
    explicit RowHeader(QWidget* parent) : QHeaderView(Qt::Vertical, parent)
    {
        setSectionsClickable(true);
        setHighlightSections(true);
        setDefaultAlignment(Qt::AlignCenter);
    }

protected:
    [[nodiscard]] QSize sectionSizeFromContents(int section) const override
    {
        constexpr int room = 14;
        return QHeaderView::sectionSizeFromContents(section) + QSize(room, 0);
    }
};

} // namespace

CellTableView::CellTableView(CellTableModel& model, QWidget* parent)
    : QTableView(parent), m_cells(model)
{
    // Before the view connects to it: the reset takes the current cell.
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        m_placeBefore = {currentIndex().column(), currentIndex().row()};
    });
    setModel(&model);
    setItemDelegate(new CellDelegate(this));
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
                    | QAbstractItemView::AnyKeyPressed);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalHeader(new AlignedHeader(Qt::Horizontal, this));
    horizontalHeader()->setSectionsClickable(true);
    setVerticalHeader(new RowHeader(this));
    constexpr int rowPadding = 10;
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + rowPadding);
    horizontalHeader()->setHighlightSections(false);
    // After the headers have connected to it: their reset takes the current cell too.
    connect(&model, &QAbstractItemModel::modelReset, this, [this] {
        const int row = std::min(m_placeBefore.y(), m_cells.rowCount() - 1);
        const int column = std::min(m_placeBefore.x(), m_cells.columnCount() - 1);
        if (row >= 0 && column >= 0)
            setCurrentIndex(m_cells.index(row, column));
        Q_EMIT selectionMoved();
    });
}

CheckedLine* CellTableView::editor() const
{
    const auto lines = viewport()->findChildren<CheckedLine*>(Qt::FindDirectChildrenOnly);
    for (CheckedLine* line : lines) {
        if (line->isVisibleTo(viewport()))
            return line;
    }
    return nullptr;
}

bool CellTableView::holdsWrongText() const
{
    const CheckedLine* const line = editor();
    return line != nullptr && !line->problem().isEmpty();
}

void CellTableView::focusEditor()
{
    if (CheckedLine* line = editor()) {
        scrollTo(currentIndex());
        line->setFocus();
    }
}

bool CellTableView::finishEditing()
{
    CheckedLine* const line = editor();
    if (line == nullptr)
        return true;
    if (!line->problem().isEmpty()) {
        focusEditor();
        return false;
    }
    commitData(line);
    closeEditor(line, QAbstractItemDelegate::NoHint);
    return true;
}

void CellTableView::fitColumns(int stretched)
{
    m_stretched = stretched;
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(stretched, QHeaderView::Fixed);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        if (column != m_stretched)
            stretchColumn();
    });
    connect(&m_cells, &QAbstractItemModel::dataChanged, this, &CellTableView::stretchColumn);
    connect(&m_cells, &QAbstractItemModel::modelReset, this, &CellTableView::stretchColumn);
    stretchColumn();
}

/// A column that is Stretch to the header would be left out of sight where there is no room.
void CellTableView::stretchColumn()
{
    if (m_stretched < 0)
        return;
    constexpr int mostCharacters = 24;
    int others = 0;
    for (int column = 0; column < m_cells.columnCount(); ++column)
        others += column == m_stretched ? 0 : columnWidth(column);
    const int wanted = std::max(sizeHintForColumn(m_stretched),
                                horizontalHeader()->sectionSizeHint(m_stretched));
    const int most = mostCharacters * fontMetrics().averageCharWidth();
    horizontalHeader()->resizeSection(
        m_stretched, std::max(std::min(wanted, most), viewport()->width() - others));
}

bool CellTableView::anyChosen(const std::function<bool(const QModelIndex&)>& such) const
{
    constexpr int lookedAt = 4096;
    int seen = 0;
    for (const QItemSelectionRange& range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            for (int column = range.left(); column <= range.right(); ++column) {
                if (++seen > lookedAt || such(m_cells.index(row, column)))
                    return true;
            }
        }
    }
    return false;
}

void CellTableView::copySelection() const
{
    if (const QModelIndexList cells = selectedIndexes(); !cells.isEmpty())
        QGuiApplication::clipboard()->setText(m_cells.copy(cells));
}

void CellTableView::pasteIntoSelection()
{
    QModelIndexList cells = selectedIndexes();
    if (cells.isEmpty() && currentIndex().isValid())
        cells << currentIndex();
    const QString wrong = m_cells.paste(cells, QGuiApplication::clipboard()->text());
    if (!wrong.isEmpty())
        Q_EMIT refused(wrong);
}

void CellTableView::keyPressEvent(QKeyEvent* event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isOfPanel = event->modifiers().testFlag(Qt::AltModifier)
        || (isReturn && event->modifiers().testFlag(Qt::ControlModifier));
    if (isOfPanel) {
        event->ignore(); // not a way to another cell, or into this one
    } else if (event->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (event->matches(QKeySequence::Paste)) {
        pasteIntoSelection();
    } else if ((event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
               && event->modifiers() == Qt::NoModifier) {
        if (const QString why = m_cells.clearCells(selectedIndexes()); !why.isEmpty())
            Q_EMIT refused(why);
    } else if (isReturn && currentIndex().flags().testFlag(Qt::ItemIsEditable)
               && state() != EditingState) {
        edit(currentIndex());
    } else {
        QTableView::keyPressEvent(event);
    }
}

void CellTableView::mousePressEvent(QMouseEvent* event)
{
    if (holdsWrongText())
        focusEditor();
    else
        QTableView::mousePressEvent(event);
}

void CellTableView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (holdsWrongText())
        focusEditor();
    else
        QTableView::mouseDoubleClickEvent(event);
}

void CellTableView::contextMenuEvent(QContextMenuEvent* event)
{
    if (holdsWrongText() || !currentIndex().isValid())
        return;
    QMenu menu(this);
    const auto add = [&menu](const QString& text, const QKeySequence& keys, auto run) {
        QAction* action = menu.addAction(text);
        action->setShortcut(keys);
        QObject::connect(action, &QAction::triggered, &menu, run);
        return action;
    };
    add(tr("&Edit"), Qt::Key_F2, [this] {
        edit(currentIndex());
    })->setEnabled(currentIndex().flags().testFlag(Qt::ItemIsEditable));
    add(tr("&Copy"), QKeySequence::Copy, [this] { copySelection(); });
    add(tr("&Paste"), QKeySequence::Paste, [this] {
        pasteIntoSelection();
    })->setEnabled(!QGuiApplication::clipboard()->text().isEmpty());
    if (!actions().isEmpty()) {
        menu.addSeparator();
        menu.addActions(actions());
    }
    menu.exec(event->globalPos());
}

void CellTableView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    Q_EMIT selectionMoved();
}

void CellTableView::selectionChanged(const QItemSelection& selected,
                                     const QItemSelection& deselected)
{
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT selectionMoved();
}

void CellTableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    stretchColumn();
}

void CellTableView::commitData(QWidget* editor)
{
    const auto* const line = qobject_cast<const CheckedLine*>(editor);
    if (line == nullptr || line->problem().isEmpty())
        QTableView::commitData(editor);
}

void CellTableView::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    const auto* const line = qobject_cast<const CheckedLine*>(editor);
    if (line == nullptr || line->problem().isEmpty()
        || hint == QAbstractItemDelegate::RevertModelCache)
        QTableView::closeEditor(editor, hint);
}

} // namespace tasuki
