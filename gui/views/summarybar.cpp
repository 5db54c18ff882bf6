// SPDX-License-Identifier: GPL-3.0-or-later
#include "summarybar.h"

#include "icons.h"
#include "models/wording.h"
#include "progressstrip.h"
#include "theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace tasuki {

namespace {

QString number(std::size_t n) { return QLocale().toString(qulonglong{n}); }

/// How a connection looks on its badge.
struct BadgeLook {
    QIcon icon;
    theme::Tint tint;
};

BadgeLook lookOf(ConnectionState state, bool current)
{
    switch (state) {
    case ConnectionState::Live:
        if (current)
            return {icons::state(TaskState::Running), theme::Tint::Information};
        break;
    case ConnectionState::Offline:
        return {icons::named(QStringLiteral("runfile")), theme::Tint::Information};
    case ConnectionState::Ended:
        return {icons::named(QStringLiteral("stop")), theme::Tint::Information};
    case ConnectionState::Refused:
        return {icons::severity(Severity::Failure), theme::Tint::Failure};
    case ConnectionState::Waiting:
        return {icons::severity(Severity::Warning), theme::Tint::Warning};
    case ConnectionState::Idle:
    case ConnectionState::Connecting:
    case ConnectionState::Greeting:
    case ConnectionState::CatchingUp: break;
    }
    return {icons::named(QStringLiteral("connect")), theme::Tint::Warning};
}

} // namespace

SummaryBar::SummaryBar(RunModels& models, QWidget* parent) : QWidget(parent), m_models(models)
{
    setAccessibleName(tr("Summary of the run"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(18);

    auto* left = new QVBoxLayout;
    left->setSpacing(3);
    auto* heading = new QHBoxLayout;
    m_title = new QLabel;
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_counts = new QLabel;
    m_counts->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    heading->addWidget(m_title, 1);
    heading->addWidget(m_counts);
    left->addLayout(heading);
    m_strip = new ProgressStrip;
    left->addWidget(m_strip);
    row->addLayout(left, 1);

    m_rate = addFigure(tr("Rate"), tr("Tasks that got their final outcome, over ten seconds"),
                       tr("%1/s").arg(QStringLiteral("99,999")));
    m_utilisation = addFigure(tr("Utilisation"), tr("Busy slots of all slots"),
                              QStringLiteral("999 %"));
    m_remaining = addFigure(tr("Remaining"), tr("An estimate from the tasks that have ended"),
                            QStringLiteral("99 h 59 min"));
    m_elapsed = addFigure(tr("Elapsed"),
                          tr("How long the run has lasted, without the time between its lives"),
                          QStringLiteral("99 h 59 min"));
    m_age = addFigure(tr("Data age"), tr("How old what is shown is"),
                      QStringLiteral("99 h 59 min"));

    m_badgeFrame = new QWidget;
    m_badgeFrame->setAutoFillBackground(true);
    auto* badge = new QHBoxLayout(m_badgeFrame);
    badge->setContentsMargins(8, 4, 8, 4);
    badge->setSpacing(6);
    m_badgeIcon = new QLabel;
    m_badge = new QLabel;
    m_badge->setAccessibleName(tr("Connection"));
    badge->addWidget(m_badgeIcon);
    badge->addWidget(m_badge);
    row->addWidget(m_badgeFrame, 0, Qt::AlignVCenter);

    connect(&m_models.summary, &RunSummaryMonitor::changed, this, &SummaryBar::renew);
    connect(&m_models.session, &Session::connectionChanged, this, &SummaryBar::renew);
    connect(&m_models.session, &Session::agentChanged, this, &SummaryBar::renew);
    renew();
}

SummaryBar::Figure SummaryBar::addFigure(const QString& caption, const QString& explanation,
                                         const QString& widest)
{
    auto* column = new QVBoxLayout;
    column->setSpacing(1);
    Figure figure{.caption = new QLabel(caption), .value = new QLabel};
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    figure.caption->setFont(small);
    figure.caption->setForegroundRole(QPalette::PlaceholderText);
    // The bar keeps its places while numbers change.
    figure.value->setMinimumWidth(fontMetrics().horizontalAdvance(widest));
    for (QLabel* label : {figure.caption, figure.value}) {
        label->setToolTip(explanation);
        column->addWidget(label);
    }
    figure.value->setAccessibleName(caption);
    figure.value->setTextFormat(Qt::PlainText);
    qobject_cast<QHBoxLayout*>(layout())->addLayout(column);
    return figure;
}

void SummaryBar::renew()
{
    const RunSummary& summary = m_models.summary.summary();
    const Session& session = m_models.session;
    QString title = session.name();
    if (session.kind() == SourceKind::RunFile)
        title = QFileInfo(title).fileName();
    m_title->setText(title);
    m_title->setToolTip(session.name());
    m_strip->setSummary(summary);

    QStringList counts{tr("%1 of %2 done").arg(number(summary.done()), number(summary.total))};
    if (summary.failed > 0)
        counts << tr("%1 failed").arg(number(summary.failed));
    if (summary.running > 0)
        counts << tr("%1 running").arg(number(summary.running));
    if (summary.held > 0)
        counts << tr("%1 held").arg(number(summary.held));
    m_counts->setText(counts.join(QStringLiteral("  ·  ")));

    const QString none = QStringLiteral("-");
    const bool running = summary.current && !summary.over;
    const int decimals = summary.rate.value_or(0) < 100 ? 1 : 0;
    m_rate.value->setText(running && summary.rate
                              ? tr("%1/s").arg(QLocale().toString(*summary.rate, 'f', decimals))
                              : none);
    const auto utilisation = running ? summary.recentUtilisation : summary.utilisation;
    m_utilisation.value->setText(utilisation ? wording::share(*utilisation) : none);
    m_remaining.value->setText(running ? wording::duration(summary.remaining) : none);
    for (const Figure& figure : {m_rate, m_remaining}) {
        figure.caption->setVisible(running);
        figure.value->setVisible(running);
    }
    m_elapsed.value->setText(wording::duration(summary.elapsed));
    m_age.value->setText(wording::duration(summary.dataAge));
    renewBadge(summary);
}

void SummaryBar::renewBadge(const RunSummary& summary)
{
    const ConnectionState state = m_models.session.connection().state;
    const BadgeLook look = lookOf(state, summary.current);
    const int size = fontMetrics().height();
    m_badgeIcon->setPixmap(look.icon.pixmap(size, size));
    m_badge->setText(wording::connection(state));
    QPalette colours = palette();
    colours.setColor(QPalette::Window, theme::tint(look.tint, palette()));
    m_badgeFrame->setPalette(colours);
    m_badgeFrame->setToolTip(m_models.session.connection().reason);
}

} // namespace tasuki
