// SPDX-License-Identifier: GPL-3.0-or-later
#include "outcomeview.h"

#include "cells/problembar.h"
#include "cells/reasonbubble.h"
#include "cells/valueline.h"
#include "config/topologytext.h"
#include "diffview.h"
#include "texttablemodel.h"
#include "views/emptyhint.h"
#include "views/listtable.h"
#include "views/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds settleTime{40};
constexpr int launchCharacters = 42;

/// Makes columns as wide as what is in them, with room beside it.
void fitColumns(QTableView& table)
{
    constexpr int room = 18;
    table.resizeColumnsToContents();
    const int count = table.horizontalHeader()->count();
    for (int column = 0; column + 1 < count; ++column)
        table.setColumnWidth(column, table.columnWidth(column) + room);
}

} // namespace

OutcomeView::OutcomeView(TopologyDocument& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_units(new TextTableModel(this)),
      m_processors(new TextTableModel(this))
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeLaunch());
    m_problems = new ProblemBar;
    box->addWidget(m_problems);
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeTable(*m_units, tr("Units")), QString());
    m_tabs->addTab(makeTable(*m_processors, tr("Processors")), QString());
    m_drawing = new QPlainTextEdit;
    m_drawing->setReadOnly(true);
    m_drawing->setFont(theme::monospace());
    m_drawing->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_drawing->setFrameShape(QFrame::NoFrame);
    m_drawing->setTabChangesFocus(true);
    m_drawing->setAccessibleName(tr("Drawing of the system"));
    m_tabs->addTab(m_drawing, QString());
    m_tabs->setTabToolTip(2, tr("As tasuki-agent check prints it"));
    m_diff = new DiffView;
    m_tabs->addTab(m_diff, QString());
    box->addWidget(m_tabs, 1);

    m_later.setSingleShot(true);
    m_later.setInterval(settleTime);
    connect(&m_later, &QTimer::timeout, this, &OutcomeView::renewNow);
    const auto later = [this] { m_later.start(); };
    connect(&document, &TopologyDocument::changed, this, later);
    connect(&document, &TopologyDocument::launchChanged, this, later);
    connect(&document, &TopologyDocument::pathChanged, this, later);
    connect(&document, &TopologyDocument::cleanChanged, this, later);
    connect(m_problems, &ProblemBar::placeWanted, this, [this](int line) {
        const auto place = static_cast<std::size_t>(line);
        if (place < m_preview.problems.size())
            Q_EMIT placeWanted(m_preview.problems[place].place);
    });
    renewNow();
}

QWidget* OutcomeView::makeLaunch()
{
    auto* part = new QWidget;
    m_launch = new ValueLine(
        [this](const QString& text) {
            return text.trimmed().isEmpty() ? QString()
                                            : readLaunch(text, m_document.topology()).problem;
        },
        [this] { return m_document.launchText(); },
        [this](const QString& text) { m_document.setLaunchText(text); });
    m_launch->setPlaceholderText(tr("as the topology needs"));
    m_launch->setExplanation(tr("Hosts and how many processors each has, e.g. node0:4, node1:4, or "
                                "how many processors in all. Empty: a launch that fits."));
    m_launch->setAccessibleName(tr("Launch that is tried out"));
    m_launch->setMinimumWidth(fontMetrics().averageCharWidth() * launchCharacters);
    auto* label = new QLabel(tr("Try a &launch:"));
    label->setBuddy(m_launch);
    m_summary = new QLabel;
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(10, 6, 10, 6);
    row->addWidget(label);
    row->addWidget(m_launch);
    row->addSpacing(8);
    row->addWidget(m_summary, 1);
    QMetaObject::invokeMethod(
        m_launch, [this] { new ReasonBubble(*m_launch); }, Qt::QueuedConnection);
    return part;
}

QTableView* OutcomeView::makeTable(TextTableModel& model, const QString& name)
{
    QTableView* const table = makeListTable(model, name);
    table->setShowGrid(true);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignCenter);
    constexpr int lookedAt = 200; // rows, for the width of a column
    table->horizontalHeader()->setResizeContentsPrecision(lookedAt);
    constexpr int rowPadding = 8;
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + rowPadding);
    new EmptyHint(*table, [this] { return hint(); });
    connect(&model, &QAbstractItemModel::modelReset, table, [table] { fitColumns(*table); });
    return table;
}

QString OutcomeView::hint() const
{
    if (!m_document.edited().faults().empty())
        return tr("Once nothing is wrong with the topology, this shows what becomes of the "
                  "processors of a launch.");
    return tr("The topology and the launch do not go together: see above.");
}

void OutcomeView::showPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

OutcomeView::Page OutcomeView::page() const { return static_cast<Page>(m_tabs->currentIndex()); }

QString OutcomeView::summary() const { return m_summary->text(); }

bool OutcomeView::finishEditing()
{
    if (m_launch->finish())
        return true;
    m_launch->setFocus();
    return false;
}

void OutcomeView::renewNow()
{
    m_later.stop();
    m_launch->renew();
    renewLaunch();
    renewProblems();
    renewDiff();
    renewTitles();
}

void OutcomeView::renewLaunch()
{
    m_preview = previewLaunch(m_document.topology(), m_document.launchText());
    const auto& layout = m_preview.layout;
    m_units->show(layout ? unitTable(*layout) : TextTable());
    m_processors->show(layout ? processorTable(*layout) : TextTable());
    QString drawing;
    if (layout) {
        drawing = QString::fromStdString(config::topologySummary(m_document.topology()) + '\n'
                                         + config::drawLayout(*layout, config::LineStyle::Box));
    }
    if (m_drawing->toPlainText() != drawing)
        m_drawing->setPlainText(drawing);
    m_summary->setText(
        layout ? tr("%1, %2, %3")
                     .arg(tr("%n processor(s)", nullptr, static_cast<int>(m_preview.processors)),
                          tr("%n subcluster(s)", nullptr,
                             static_cast<int>(layout->subclusters.size())),
                          tr("%n unit(s)", nullptr, static_cast<int>(layout->units.size())))
               : QString());
}

void OutcomeView::renewProblems()
{
    if (m_preview.problems.empty()) {
        m_problems->hide();
        return;
    }
    if (m_preview.problems.front().severity == Severity::Information) {
        m_problems->show(theme::Tint::Information, m_preview.problems.front().text, QString());
        return;
    }
    QStringList lines;
    for (const PlacedProblem& problem : m_preview.problems)
        lines << problem.text;
    const auto count = static_cast<int>(lines.size());
    if (m_preview.layout) {
        m_problems->showPlaces(theme::Tint::Warning,
                               tr("%n thing(s) to note in this launch", nullptr, count), lines);
    } else {
        m_problems->showPlaces(
            theme::Tint::Failure,
            tr("The topology does not fit this launch: %n thing(s) wrong", nullptr, count), lines);
    }
}

void OutcomeView::renewDiff()
{
    m_diff->compare(m_document.knownText(),
                    m_document.isEmpty() ? m_document.knownText() : m_document.textToSave());
    if (m_diff->isSame())
        m_diff->setHeadline(tr("Saving would change nothing."));
    else if (m_document.path().isEmpty())
        m_diff->setHeadline(tr("This is what saving would write:"));
    else if (m_document.isClean())
        m_diff->setHeadline(tr("Nothing was edited. If you save the topology all the same, the "
                               "file gets the form in which this window writes it:"));
    else
        m_diff->setHeadline(tr("This is what saving would change in the file:"));
}

void OutcomeView::renewTitles()
{
    const auto counted = [](const QString& name, std::size_t count) {
        return count == 0 ? name : QStringLiteral("%1 (%2)").arg(name).arg(count);
    };
    m_tabs->setTabText(0, counted(tr("&Units"), m_units->table().rows.size()));
    m_tabs->setTabText(1, counted(tr("&Processors"), m_processors->table().rows.size()));
    m_tabs->setTabText(2, tr("&Drawing"));
    m_tabs->setTabText(
        3,
        m_diff->isSame()
            ? tr("&Changes")
            : tr("&Changes (+%1 \u2212%2)").arg(m_diff->added()).arg(m_diff->removed()));
}

} // namespace tasuki
