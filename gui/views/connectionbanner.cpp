// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectionbanner.h"

#include "icons.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace tasuki {

namespace {

using Remedy = BannerContent::Remedy;

constexpr std::chrono::milliseconds countdownStep{250};

} // namespace

ConnectionBanner::ConnectionBanner(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session)
{
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 5, 10, 5);
    row->setSpacing(8);
    m_icon = new QLabel;
    m_text = new QLabel;
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setAccessibleName(tr("State of the connection"));
    m_progress = new QProgressBar;
    m_progress->setFixedWidth(220);
    m_progress->setAccessibleName(tr("Loaded"));
    m_remedy = new QPushButton;
    row->addWidget(m_icon, 0, Qt::AlignVCenter);
    row->addWidget(m_text, 1);
    row->addWidget(m_progress);
    row->addWidget(m_remedy);

    m_countdown.setInterval(countdownStep);
    connect(&m_countdown, &QTimer::timeout, this, &ConnectionBanner::renew);
    connect(m_remedy, &QPushButton::clicked, this, &ConnectionBanner::doRemedy);
    for (const auto signal : {&Session::connectionChanged, &Session::loadingChanged,
                              &Session::damageChanged, &Session::agentChanged})
        connect(&session, signal, this, &ConnectionBanner::renew);
    connect(&session, &Session::changed, this, [this](const ChangeSet& changes) {
        if (changes.run)
            renew();
    });
    renew();
}

void ConnectionBanner::renew()
{
    const bool wasStale = stale();
    auto content = bannerContent(m_session);
    const ConnectionState state = m_session.connection().state;
    // Ages and countdowns go on by themselves.
    if (content && state != ConnectionState::Live && !m_session.loading())
        m_countdown.start();
    else
        m_countdown.stop();
    if (content != m_content) {
        m_content = std::move(content);
        if (m_content)
            display(*m_content);
    }
    setVisible(m_content.has_value());
    if (wasStale != stale())
        Q_EMIT staleChanged(stale());
}

void ConnectionBanner::display(const BannerContent& content)
{
    QPalette colours = palette();
    colours.setColor(QPalette::Window, theme::tint(content.tint, palette()));
    setPalette(colours);
    const auto severity = content.tint == theme::Tint::Failure ? Severity::Failure
        : content.tint == theme::Tint::Warning                 ? Severity::Warning
                                                               : Severity::Information;
    const int size = fontMetrics().height() + 2;
    m_icon->setPixmap(icons::severity(severity).pixmap(size, size));
    m_text->setText(
        QStringLiteral("<b>%1</b> %2")
            .arg(content.headline.toHtmlEscaped(), content.explanation.toHtmlEscaped()));
    m_progress->setVisible(content.percent.has_value());
    if (content.percent) {
        m_progress->setRange(0, *content.percent < 0 ? 0 : 100);
        m_progress->setValue(std::max(0, *content.percent));
    }
    switch (content.remedy) {
    case Remedy::None: break;
    case Remedy::TryNow: m_remedy->setText(tr("Try &now")); break;
    case Remedy::Reload: m_remedy->setText(tr("&Read again")); break;
    case Remedy::OpenRunFile: m_remedy->setText(tr("Open the &run file")); break;
    case Remedy::Resume: m_remedy->setText(tr("Res&ume...")); break;
    case Remedy::RetryFailed: m_remedy->setText(tr("Re&try...")); break;
    }
    const auto& agent = m_session.agent();
    const bool possible = content.remedy != Remedy::OpenRunFile
        || (agent && !m_session.isElsewhere() && QFileInfo::exists(agent->runFile));
    m_remedy->setVisible(content.remedy != Remedy::None && possible);
}

void ConnectionBanner::doRemedy()
{
    if (!m_content)
        return;
    switch (m_content->remedy) {
    case Remedy::None: break;
    case Remedy::TryNow: m_session.retryNow(); break;
    case Remedy::Reload: m_session.reload(); break;
    case Remedy::OpenRunFile:
        if (m_session.agent())
            Q_EMIT runFileWanted(m_session.agent()->runFile);
        break;
    case Remedy::Resume:
    case Remedy::RetryFailed: Q_EMIT resumeWanted(); break;
    }
}

} // namespace tasuki
