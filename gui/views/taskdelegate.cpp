// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskdelegate.h"

#include "icons.h"
#include "theme.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int markWidth = 3;
constexpr int editorLines = 5;
constexpr int leastCommandWidth = 420;

TaskColumn columnOf(const QModelIndex& index) { return static_cast<TaskColumn>(index.column()); }

/// Colours an editor by whether what it holds can be taken.
void validate(QWidget& editor, TaskField field, const QString& text)
{
    TaskContent scratch;
    scratch.command = "true";
    const QString problem = setField(scratch, field, text);
    QPalette colours = editor.parentWidget()->palette();
    if (!problem.isEmpty())
        colours.setColor(QPalette::Base, theme::tint(theme::Tint::Failure, colours));
    editor.setPalette(colours);
    editor.setToolTip(problem);
    editor.setAccessibleDescription(problem);
}

} // namespace

QString fieldHint(TaskField field)
{
    switch (field) {
    case TaskField::Command: return TaskDelegate::tr("a shell command");
    case TaskField::Retries: return TaskDelegate::tr("2, or exit:2,signal:1,timeout:0,lost:3");
    case TaskField::Timeout: return TaskDelegate::tr("90s, 10m, 1h30m; empty: no limit");
    case TaskField::Directory: return TaskDelegate::tr("empty: the directory of the run");
    case TaskField::Environment: return TaskDelegate::tr("NAME=value, one a line");
    }
    return {};
}

void TaskDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideRight;
    const auto iconSize = [option] {
        const int size = option->fontMetrics.height();
        return QSize(size, size);
    };
    switch (columnOf(index)) {
    case TaskColumn::State:
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icons::state(static_cast<TaskState>(index.data(TaskStateRole).toInt()));
        option->decorationSize = iconSize();
        break;
    case TaskColumn::Number:
        if (index.data(DraftRole).toBool()) {
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->icon = index.data(ConflictRole).toString().isEmpty()
                ? icons::named(QStringLiteral("edit"))
                : icons::severity(Severity::Warning);
            option->decorationSize = iconSize();
        }
        break;
    case TaskColumn::Command: {
        QFont font = theme::monospace();
        font.setBold(option->font.bold());
        option->font = font;
        option->fontMetrics = QFontMetrics(font);
        break;
    }
    default: break;
    }
    const bool edited = columnOf(index) != TaskColumn::Number && index.data(DraftRole).toBool();
    if (!index.data(ConflictRole).toString().isEmpty())
        option->backgroundBrush = theme::tint(theme::Tint::Conflict, option->palette);
    else if (edited)
        option->backgroundBrush = theme::tint(theme::Tint::Edited, option->palette);
    option->font.setBold(option->font.bold() || edited);
}

void TaskDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    if (columnOf(index) != TaskColumn::Number && index.data(DraftRole).toBool()) {
        QRect mark = option.rect;
        mark.setWidth(markWidth);
        painter->fillRect(mark, option.palette.color(QPalette::Highlight));
    }
    if (!index.data(ProblemRole).toString().isEmpty()) {
        painter->save();
        painter->setPen(QPen(theme::wrong(option.palette), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        const int size = option.rect.height() - 6;
        const QRect corner(option.rect.right() - size - 4, option.rect.top() + 3, size, size);
        painter->fillRect(corner.adjusted(-2, 0, 1, 0), option.palette.color(QPalette::Base));
        icons::severity(Severity::Failure).paint(painter, corner);
        painter->restore();
    }
}

QWidget* TaskDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                    const QModelIndex& index) const
{
    const auto field = fieldOf(columnOf(index));
    if (!field)
        return nullptr;
    const QString name = columnTitle(columnOf(index));
    if (*field == TaskField::Command || *field == TaskField::Environment) {
        auto* editor = new QPlainTextEdit(parent);
        editor->setFont(theme::monospace());
        editor->setTabChangesFocus(true);
        editor->setPlaceholderText(fieldHint(*field));
        editor->setAccessibleName(name);
        editor->setWordWrapMode(QTextOption::WrapAnywhere);
        connect(editor, &QPlainTextEdit::textChanged, editor,
                [editor, field] { validate(*editor, *field, editor->toPlainText()); });
        return editor;
    }
    auto* editor = new QLineEdit(parent);
    editor->setPlaceholderText(fieldHint(*field));
    editor->setAccessibleName(name);
    editor->setFrame(false);
    editor->setMinimumWidth(parent->fontMetrics().averageCharWidth() * 26);
    connect(editor, &QLineEdit::textChanged, editor,
            [editor, field](const QString& text) { validate(*editor, *field, text); });
    return editor;
}

void TaskDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* line = qobject_cast<QLineEdit*>(editor)) {
        line->setText(text);
        line->selectAll();
    } else if (auto* area = qobject_cast<QPlainTextEdit*>(editor);
               area != nullptr && area->toPlainText() != text) {
        area->setPlainText(text);
        area->moveCursor(QTextCursor::End);
    }
}

void TaskDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                const QModelIndex& index) const
{
    const auto* line = qobject_cast<const QLineEdit*>(editor);
    const auto* area = qobject_cast<const QPlainTextEdit*>(editor);
    const QString text = line != nullptr ? line->text() : area->toPlainText();
    if (text != index.data(Qt::EditRole).toString())
        model->setData(index, text, Qt::EditRole);
}

void TaskDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                        const QModelIndex&) const
{
    QRect place = option.rect;
    const QRect room = editor->parentWidget()->rect();
    if (qobject_cast<QPlainTextEdit*>(editor) != nullptr) {
        place.setWidth(std::max(place.width(), leastCommandWidth));
        place.setHeight(QFontMetrics(editor->font()).lineSpacing() * editorLines + 10);
    } else {
        place.setWidth(std::max(place.width(), editor->minimumWidth()));
    }
    place.setWidth(std::min(place.width(), room.width()));
    // The editor grows over its neighbours, but stays within the table.
    place.moveRight(std::min(place.right(), room.right()));
    place.moveBottom(std::min(place.bottom(), room.bottom()));
    place.moveLeft(std::max(place.left(), 0));
    place.moveTop(std::max(place.top(), 0));
    editor->setGeometry(place);
}

bool TaskDelegate::eventFilter(QObject* watched, QEvent* event)
{
    auto* area = qobject_cast<QPlainTextEdit*>(watched);
    if (area != nullptr && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && key->modifiers().testFlag(Qt::ShiftModifier))
            return false; // the editor begins a new line
        if (enter) {
            Q_EMIT commitData(area);
            Q_EMIT closeEditor(area);
            return true;
        }
    }
    return QStyledItemDelegate::eventFilter(watched, event);
}

} // namespace tasuki
