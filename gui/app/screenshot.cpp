// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"

#include "cells/problembar.h"
#include "mainwindow.h"
#include "planner/planpage.h"
#include "topology/topologypanel.h"

#include <QPixmap>
#include <QSaveFile>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds lookInterval{40};
/// What views renew a few times a second has been renewed after this.
constexpr std::chrono::milliseconds settling{700};

} // namespace

Screenshot::Screenshot(MainWindow& window, QString file, const Clock& clock,
                       std::chrono::seconds patience)
    : QObject(&window),
      m_window(window),
      m_file(std::move(file)),
      m_clock(clock),
      m_patience(patience),
      m_begin(clock.now())
{
    m_timer.setInterval(lookInterval);
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
    m_timer.start();
}

QString Screenshot::hopeless() const
{
    if (m_window.planPage() != nullptr) {
        const planner::PlanSession& plan = m_window.planPage()->session();
        const auto& diagnostics = plan.loaded().diagnostics;
        const bool failed = plan.state() == planner::PlanSession::State::Empty
            && !diagnostics.empty();
        return failed ? QString::fromStdString(diagnostics.front().text()) : QString();
    }
    if (const TopologyPanel* topology = m_window.topologyPage()) {
        const bool failed = !topology->document().isOpening()
            && topology->document().path().isEmpty();
        return failed ? topology->problems().headline() : QString();
    }
    if (m_window.page() == nullptr)
        return {};
    const Session& session = m_window.page()->models().session;
    if (!session.damage().isEmpty())
        return session.damage();
    if (session.connection().state == ConnectionState::Refused)
        return session.connection().reason;
    return {};
}

bool Screenshot::ready() const
{
    if (m_window.planPage() != nullptr) {
        const planner::PlanPage& page = *m_window.planPage();
        const planner::PlanSession& plan = m_window.planPage()->session();
        const bool idle = plan.state() == planner::PlanSession::State::Ready;
        const bool waits = plan.state() == planner::PlanSession::State::Empty
            && plan.path().isEmpty();
        return waits || page.showsPrediction() || (idle && !plan.environment());
    }
    if (m_window.topologyPage() != nullptr)
        return !m_window.topologyPage()->document().isOpening();
    if (m_window.page() == nullptr)
        return true;
    const RunModels& models = m_window.page()->models();
    const ConnectionState state = models.session.connection().state;
    const bool there = state == ConnectionState::Offline || state == ConnectionState::Live
        || state == ConnectionState::Ended;
    return there && !models.session.loading() && models.session.eventsApplied() > 0
        && !models.tasks.arranging();
}

void Screenshot::look()
{
    if (const QString why = hopeless(); !why.isEmpty()) {
        finish(why);
        return;
    }
    if (ready()) {
        m_timer.stop();
        settle();
        return;
    }
    if (m_clock.now() - m_begin < m_patience)
        return;
    const QString reason = m_window.page() == nullptr
        ? QString()
        : m_window.page()->models().session.connection().reason;
    const QString late =
        QStringLiteral("nothing to show after %1 s").arg(qlonglong{m_patience.count()});
    finish(reason.isEmpty() ? late : late + QStringLiteral(": ") + reason);
}

void Screenshot::settle()
{
    if (RunPage* page = m_window.page()) {
        page->models().session.announceNow();
        page->models().tasks.rearrangeNow();
        page->models().processors.refresh();
        page->models().summary.refresh();
    }
    QTimer::singleShot(settling, this, &Screenshot::take);
}

void Screenshot::take()
{
    const QPixmap picture = m_window.grab();
    QSaveFile file(m_file);
    if (file.open(QIODevice::WriteOnly) && picture.save(&file, "PNG") && file.commit())
        finish({});
    else
        finish(QStringLiteral("cannot write %1: %2").arg(m_file, file.errorString()));
}

void Screenshot::finish(const QString& problem)
{
    m_timer.stop();
    Q_EMIT done(problem);
}

} // namespace tasuki
