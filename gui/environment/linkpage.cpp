// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkpage.h"

#include "cells/wrappedwords.h"
#include "models/wording.h"
#include "views/flowlayout.h"
#include "views/icons.h"

#include <QAction>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QRadioButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int narrowestColumn = 64;
constexpr int widestColumn = 190;
constexpr int columnPadding = 22;
/// How many nodes are looked at to find out how wide columns have to be.
constexpr int sampledNodes = 32;

} // namespace

LinkPage::LinkPage(EnvironmentDocument& document, QWidget* parent)
    : QWidget(parent),
      m_model(new LinkMatrixModel(document, this)),
      m_table(new CellTableView(*m_model))
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeChoices());
    box->addWidget(m_table, 1);
    m_description = new QLabel;
    m_description->setWordWrap(true);
    m_description->setMargin(6);
    m_description->setTextFormat(Qt::PlainText);
    m_description->setAccessibleName(tr("The current link"));
    box->addWidget(m_description);

    m_table->setAccessibleName(tr("Links between nodes: rows send, columns receive"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setMinimumSectionSize(narrowestColumn);
    m_table->addAction(m_useDefault);
    connect(m_table, &CellTableView::selectionMoved, this, &LinkPage::renewDescription);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &LinkPage::fitColumns);
    connect(m_model, &QAbstractItemModel::modelReset, this, &LinkPage::fitColumns);
    connect(m_model, &QAbstractItemModel::headerDataChanged, this, &LinkPage::fitColumns);
    fitColumns();
}

QWidget* LinkPage::makeChoices()
{
    auto* widget = new QWidget;
    auto* margins = new QVBoxLayout(widget);
    margins->setContentsMargins(10, 5, 10, 5);
    auto* row = new FlowLayout(16);
    margins->addLayout(row);
    const std::array texts{tr("a&0, start of a message (µs)"), tr("a&1, each byte (µs/byte)"),
                           tr("B&urst (bytes)")};
    static_assert(texts.size() == allLinkFigures.size());
    for (const LinkFigure figure : allLinkFigures) {
        const auto place = static_cast<std::size_t>(figure);
        m_figures[place] = new QRadioButton(texts[place]);
        m_figures[place]->setToolTip(wrapped(explanation(figure)));
        m_figures[place]->setAccessibleDescription(explanation(figure));
    }
    button(m_model->figure()).setChecked(true);
    m_bothWays = new QCheckBox(tr("&Both directions"));
    m_bothWays->setChecked(m_model->bothWays());
    m_bothWays->setToolTip(tr("Edits hold for the way back too"));
    m_useDefault = new QAction(icons::named(QStringLiteral("clear")), tr("Use the &default"), this);
    m_useDefault->setToolTip(tr("The chosen links have no figures of their own any more (Delete)"));
    auto* clear = new QToolButton;
    clear->setDefaultAction(m_useDefault);
    clear->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    clear->setAutoRaise(true);
    clear->setFocusPolicy(Qt::TabFocus);
    const int height = clear->sizeHint().height();
    QList<QWidget*> parts(m_figures.begin(), m_figures.end());
    parts << m_bothWays << clear;
    for (QWidget* part : parts) {
        part->setFixedHeight(height); // their texts stand in one line
        row->addWidget(part);
    }
    linkChoices();
    return widget;
}

void LinkPage::linkChoices()
{
    for (const LinkFigure figure : allLinkFigures) {
        connect(&button(figure), &QRadioButton::toggled, this, [this, figure](bool isChosen) {
            if (!isChosen)
                return; // another one is, and says so
            if (m_table->finishEditing())
                m_model->setFigure(figure);
            else
                button(m_model->figure()).setChecked(true);
        });
    }
    connect(m_bothWays, &QCheckBox::toggled, m_model, &LinkMatrixModel::setBothWays);
    connect(m_useDefault, &QAction::triggered, this, [this] {
        if (m_table->finishEditing())
            m_model->clearCells(m_table->selectedCells());
    });
}

QRadioButton& LinkPage::button(LinkFigure figure) const
{
    return *m_figures[static_cast<std::size_t>(figure)];
}

void LinkPage::fitColumns()
{
    QFont bold = m_table->font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    const int count = std::min(m_model->rowCount(), sampledNodes);
    int widest = 0;
    const auto measure = [&](const QString& text) {
        widest = std::max(widest, metrics.horizontalAdvance(text));
    };
    for (int row = 0; row < count; ++row) {
        measure(m_model->headerData(row, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int column = 0; column < count; ++column)
            measure(m_model->index(row, column).data().toString());
    }
    const int size = std::clamp(widest + columnPadding, narrowestColumn, widestColumn);
    QHeaderView& header = *m_table->horizontalHeader();
    if (header.defaultSectionSize() != size)
        header.setDefaultSectionSize(size);
    renewDescription();
}

void LinkPage::renewDescription()
{
    const QModelIndex current = m_table->currentIndex();
    m_description->setText(current.isValid()
                               ? m_model->description(current)
                               : tr("Rows send, columns receive. Bold: figures of its own."));
    m_useDefault->setEnabled(
        m_table->anyChosen([this](const QModelIndex& index) { return m_model->isOwn(index); }));
}

} // namespace tasuki
