// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtable.h"

#include "headerlayout.h"
#include "icons.h"
#include "tableexport.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMessageBox>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace tasuki {

SeverityDelegate::SeverityDelegate(int column, int role, QObject* parent)
    : QStyledItemDelegate(parent), m_column(column), m_role(role)
{}

void SeverityDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != m_column)
        return;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = icons::severity(static_cast<Severity>(index.data(m_role).toInt()));
    const int size = option->fontMetrics.height();
    option->decorationSize = QSize(size, size);
}

QTableView* makeListTable(QAbstractItemModel& model, const QString& accessibleName)
{
    auto* table = new QTableView;
    table->setModel(&model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(accessibleName);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->setHorizontalHeader(new AlignedHeader(Qt::Horizontal));
    QHeaderView& header = *table->horizontalHeader();
    header.setHighlightSections(false);
    header.setStretchLastSection(true);
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

QTableView* makeSortedTable(QAbstractItemModel& model, int sortRole, const QString& accessibleName)
{
    auto* sorted = new QSortFilterProxyModel;
    sorted->setSourceModel(&model);
    sorted->setSortRole(sortRole);
    QTableView* table = makeListTable(*sorted, accessibleName);
    sorted->setParent(table);
    table->horizontalHeader()->setSectionsClickable(true);
    table->setSortingEnabled(true);
    return table;
}

QAction* makeCopyAction(QTableView& table)
{
    auto* copy = new QAction(icons::named(QStringLiteral("copy")), SeverityDelegate::tr("&Copy"),
                             &table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(copy, &QAction::triggered, &table, [&table] {
        QStringList lines;
        const QModelIndexList rows = table.selectionModel()->selectedRows();
        for (const QModelIndex& row : rows) {
            QStringList cells;
            for (int column = 0; column < table.model()->columnCount(); ++column)
                cells << row.siblingAtColumn(column).data().toString();
            lines << cells.join(QLatin1Char('\t'));
        }
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
    });
    return copy;
}

QString saveTable(const QTableView& table, const QString& title, const QString& suggestion)
{
    const QString csv = SeverityDelegate::tr("Comma-separated values (*.csv)");
    const QString tsv = SeverityDelegate::tr("Tab-separated values (*.tsv)");
    QString chosen = csv;
    const QString path = QFileDialog::getSaveFileName(table.window(), title, suggestion,
                                                      csv + QStringLiteral(";;") + tsv, &chosen);
    if (path.isEmpty())
        return {};
    const bool asTsv = path.endsWith(QLatin1String(".tsv"), Qt::CaseInsensitive)
        || (chosen == tsv && !path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive));
    QList<int> columns;
    const QHeaderView& header = *table.horizontalHeader();
    for (int visual = 0; visual < header.count(); ++visual) {
        const int column = header.logicalIndex(visual);
        if (!header.isSectionHidden(column))
            columns << column;
    }
    const QString text = tableText(*table.model(), asTsv ? TableFormat::Tsv : TableFormat::Csv,
                                   columns);
    const QString problem = writeWholeFile(path, text.toUtf8());
    if (problem.isEmpty())
        return path;
    QMessageBox::warning(table.window(), title, problem);
    return {};
}

QString exportTable(const QTableView& table, const QString& title, const QString& suggestion)
{
    const QString path = saveTable(table, title, suggestion);
    return path.isEmpty() ? path : SeverityDelegate::tr("%1: written to %2").arg(title, path);
}

} // namespace tasuki
