// SPDX-License-Identifier: GPL-3.0-or-later
#include "conflictlist.h"

#include "topologycells.h"
#include "views/icons.h"
#include "views/theme.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int mostRowsShown = 4;
constexpr int columnGap = 18;

QString rowName(const char* part, int row) { return QStringLiteral("%1%2").arg(part).arg(row); }

} // namespace

ConflictList::ConflictList(RunningTopology& topology, QWidget* parent)
    : QWidget(parent),
      m_topology(topology),
      m_headline(new QLabel),
      m_allTheirs(new QPushButton(tr("Take all theirs"))),
      m_scroll(new QScrollArea)
{
    setAutoFillBackground(true);
    auto* box = new QHBoxLayout(this);
    box->setContentsMargins(10, 6, 6, 6);
    box->setSpacing(8);
    auto* icon = new QLabel;
    const int size = fontMetrics().height() + 2;
    icon->setPixmap(icons::severity(Severity::Warning).pixmap(size, size));
    QFont bold = font();
    bold.setBold(true);
    m_headline->setFont(bold);
    m_headline->setWordWrap(true);
    m_headline->setTextFormat(Qt::PlainText);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_allTheirs->setToolTip(tr("All of these values become what others have made of them; Undo "
                               "brings yours back"));
    auto* texts = new QVBoxLayout;
    texts->setSpacing(4);
    texts->addWidget(m_headline);
    texts->addWidget(m_scroll);
    box->addWidget(icon, 0, Qt::AlignTop);
    box->addLayout(texts, 1);
    box->addWidget(m_allTheirs, 0, Qt::AlignTop);
    connect(m_allTheirs, &QPushButton::clicked, &topology, &RunningTopology::takeAllTheirs);
    connect(&topology, &RunningTopology::changed, this, &ConflictList::renew);
    hide();
    renew();
}

QPushButton& ConflictList::mine(int row) const
{
    return *findChild<QPushButton*>(rowName("mine", row));
}

QPushButton& ConflictList::theirs(int row) const
{
    return *findChild<QPushButton*>(rowName("theirs", row));
}

QString ConflictList::headline() const { return m_headline->text(); }

void ConflictList::renew()
{
    if (m_shown == m_topology.conflicts())
        return;
    m_shown = m_topology.conflicts();
    if (!m_shown.empty())
        fill();
    setVisible(!m_shown.empty());
}

void ConflictList::fill()
{
    QPalette colours = parentWidget() != nullptr ? parentWidget()->palette() : palette();
    colours.setColor(QPalette::Window, theme::tint(theme::Tint::Conflict, colours));
    setPalette(colours);
    m_headline->setText(tr("Others have changed %n value(s) that you edit. Nothing is overwritten "
                           "without you: decide what shall stand.",
                           nullptr, static_cast<int>(m_shown.size())));
    m_allTheirs->setVisible(m_shown.size() > 1);
    // One of its buttons may be what this comes from.
    if (QWidget* before = m_scroll->takeWidget()) {
        before->setParent(nullptr);
        before->deleteLater();
    }
    auto* content = new QWidget;
    content->setAutoFillBackground(false);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(columnGap);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(5, 1);
    m_scroll->setWidget(content);
    for (int row = 0; row < rows(); ++row)
        addRow(row, m_shown[static_cast<std::size_t>(row)]);
    content->adjustSize();
    const int shown = std::min(rows(), mostRowsShown);
    m_scroll->setFixedHeight(content->sizeHint().height() * shown / std::max(rows(), 1) + 2);
}

void ConflictList::addRow(int row, const TopologyConflict& conflict)
{
    auto* grid = qobject_cast<QGridLayout*>(m_scroll->widget()->layout());
    auto* name = new QLabel(
        QStringLiteral("<a href=\"#\">%1</a>")
            .arg(placeName(m_topology.document().topology(), conflict.place).toHtmlEscaped()));
    name->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(name, &QLabel::linkActivated, this,
            [this, place = conflict.place] { Q_EMIT placeWanted(place); });
    auto* running = new QLabel(
        tr("the system runs with %1").arg(placeValue(conflict.place, conflict.theirs)));
    running->setTextFormat(Qt::PlainText);
    auto* own = new QLabel(tr("mine is %1").arg(placeValue(conflict.place, conflict.mine)));
    own->setTextFormat(Qt::PlainText);
    auto* keep = new QPushButton(tr("Keep mine"));
    keep->setObjectName(rowName("mine", row));
    keep->setToolTip(tr("It stays as you have edited it, and is sent with the next change"));
    connect(keep, &QPushButton::clicked, &m_topology,
            [this, place = conflict.place] { m_topology.keepMine(place); });
    auto* take = new QPushButton(tr("Take theirs"));
    take->setObjectName(rowName("theirs", row));
    take->setToolTip(tr("It becomes what others have made of it; Undo brings yours back"));
    connect(take, &QPushButton::clicked, &m_topology,
            [this, place = conflict.place] { m_topology.takeTheirs(place); });
    int column = 0;
    for (QWidget* part : std::initializer_list<QWidget*>{name, running, own, keep, take})
        grid->addWidget(part, row, column++);
}

} // namespace tasuki
