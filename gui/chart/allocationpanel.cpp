// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationpanel.h"

#include "views/icons.h"
#include "views/tableexport.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace tasuki {

namespace {

QString suffixOf(AllocationExport what)
{
    switch (what) {
    case AllocationExport::Png: return suffixOf(ChartFormat::Png);
    case AllocationExport::Svg: return suffixOf(ChartFormat::Svg);
    case AllocationExport::Pdf: return suffixOf(ChartFormat::Pdf);
    case AllocationExport::Csv: break;
    }
    return QStringLiteral("csv");
}

QString filterOf(AllocationExport what)
{
    switch (what) {
    case AllocationExport::Png: return AllocationPanel::tr("PNG images (*.png)");
    case AllocationExport::Svg: return AllocationPanel::tr("SVG drawings (*.svg)");
    case AllocationExport::Pdf: return AllocationPanel::tr("PDF documents (*.pdf)");
    case AllocationExport::Csv: break;
    }
    return AllocationPanel::tr("Comma-separated values (*.csv)");
}

QString titleOf(AllocationExport what)
{
    return what == AllocationExport::Csv ? AllocationPanel::tr("Export the table of allocations")
                                         : AllocationPanel::tr("Export the chart of allocations");
}

} // namespace

AllocationPanel::AllocationPanel(AllocationList& list, QWidget* parent)
    : QWidget(parent), m_list(list)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeTools());
    m_pages = new QStackedWidget;
    m_hint = new QLabel(tr("Search to see how long each allocation would take."));
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_hint->setMargin(16);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setBackgroundRole(QPalette::Base);
    m_hint->setAutoFillBackground(true);
    m_pages->addWidget(m_hint);
    m_splitter = new QSplitter(Qt::Vertical);
    m_chart = new AllocationChart(list);
    m_table = new AllocationTable(list);
    m_splitter->addWidget(m_chart);
    m_splitter->addWidget(m_table);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_pages->addWidget(m_splitter);
    box->addWidget(m_pages, 1);
    connect(&list, &AllocationList::renewed, this, &AllocationPanel::renew);
    renew();
}

QWidget* AllocationPanel::makeTools()
{
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(8, 5, 8, 5);
    row->setSpacing(6);
    m_orders = new QComboBox;
    m_orders->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_orders->setAccessibleName(tr("Order of the allocations"));
    m_orders->addItem(tr("By predicted time"), static_cast<int>(AllocationOrder::Predicted));
    m_orders->addItem(tr("By nodes"), static_cast<int>(AllocationOrder::Nodes));
    auto* label = new QLabel(tr("&Order:"));
    label->setBuddy(m_orders);
    m_measurements = new QToolButton;
    m_measurements->setText(tr("Measurements..."));
    m_measurements->setIcon(icons::named(QStringLiteral("open")));
    m_measurements->setToolTip(tr("Show measured runtimes beside the predicted ones"));
    m_export = new QToolButton;
    m_export->setText(tr("Export"));
    m_export->setIcon(icons::named(QStringLiteral("save")));
    m_export->setToolTip(tr("Write the chart or the table into a file"));
    m_export->setPopupMode(QToolButton::InstantPopup);
    for (QToolButton* button : {m_measurements, m_export}) {
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
    }
    makeExports();
    row->addWidget(label);
    row->addWidget(m_orders);
    row->addStretch(1);
    row->addWidget(m_measurements);
    row->addWidget(m_export);
    connect(m_orders, &QComboBox::activated, this, [this](int index) {
        m_list.setOrder(static_cast<AllocationOrder>(m_orders->itemData(index).toInt()));
    });
    connect(m_measurements, &QToolButton::clicked, this, &AllocationPanel::measurementsWanted);
    return tools;
}

void AllocationPanel::makeExports()
{
    auto* menu = new QMenu(m_export);
    const auto add = [&](const QString& text, AllocationExport what) {
        connect(menu->addAction(text), &QAction::triggered, this, [this, what] { exportAs(what); });
    };
    add(tr("Chart as PNG..."), AllocationExport::Png);
    add(tr("Chart as SVG..."), AllocationExport::Svg);
    add(tr("Chart as PDF..."), AllocationExport::Pdf);
    menu->addSeparator();
    add(tr("Table as CSV..."), AllocationExport::Csv);
    m_export->setMenu(menu);
}

void AllocationPanel::setTitle(const QString& title) { m_chart->setTitle(title); }

void AllocationPanel::setEmptyText(const QString& text) { m_hint->setText(text); }

void AllocationPanel::setMeasurementsEnabled(bool enabled) { m_measurements->setEnabled(enabled); }

/// The orders that there are, which of them holds, and whether there is something to show.
void AllocationPanel::renew()
{
    const int measured = m_orders->findData(static_cast<int>(AllocationOrder::Measured));
    const bool wanted = m_list.hasMeasurements() || m_list.order() == AllocationOrder::Measured;
    if (wanted && measured < 0)
        m_orders->addItem(tr("By measured time"), static_cast<int>(AllocationOrder::Measured));
    else if (!wanted && measured >= 0)
        m_orders->removeItem(measured);
    m_orders->setCurrentIndex(m_orders->findData(static_cast<int>(m_list.order())));
    const bool empty = m_list.count() == 0;
    m_orders->setEnabled(!empty);
    m_export->setEnabled(!empty);
    m_pages->setCurrentIndex(empty ? 0 : 1);
}

void AllocationPanel::exportAs(AllocationExport what)
{
    const QString suffix = suffixOf(what);
    QString path = QFileDialog::getSaveFileName(
        window(), titleOf(what), QStringLiteral("allocations.") + suffix, filterOf(what));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QLatin1Char('.') + suffix;
    exportTo(path, what);
}

void AllocationPanel::exportTo(const QString& path, AllocationExport what)
{
    QByteArray content;
    switch (what) {
    case AllocationExport::Png: content = m_chart->drawn(ChartFormat::Png); break;
    case AllocationExport::Svg: content = m_chart->drawn(ChartFormat::Svg); break;
    case AllocationExport::Pdf: content = m_chart->drawn(ChartFormat::Pdf); break;
    case AllocationExport::Csv: content = m_list.csv(); break;
    }
    const QString problem = content.isEmpty()
        ? tr("The chart could not be drawn: there is too little memory.")
        : writeWholeFile(path, content);
    if (!problem.isEmpty())
        QMessageBox::warning(window(), titleOf(what), problem);
    else if (what == AllocationExport::Csv)
        Q_EMIT said(tr("The table of allocations is in %1.").arg(path));
    else
        Q_EMIT said(tr("The chart of allocations is in %1.").arg(path));
}

} // namespace tasuki
