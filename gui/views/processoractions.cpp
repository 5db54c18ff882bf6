// SPDX-License-Identifier: GPL-3.0-or-later
#include "processoractions.h"

#include "commandreport.h"
#include "icons.h"
#include "models/wording.h"
#include "systemtreeview.h"

#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace tasuki {

ProcessorActions::ProcessorActions(RunModels& models, SystemTreeView& view)
    : QObject(&view), m_models(models), m_view(view)
{
    m_drain = make(QStringLiteral("drain"), tr("&Drain"),
                   tr("The processor gets no new work and no seat; what runs on it finishes"),
                   &ProcessorActions::runDrain);
    m_undrain = make(QStringLiteral("release"), tr("&Give work again"),
                     tr("The processor is no longer drained"), &ProcessorActions::runUndrain);
    m_stop = make(QStringLiteral("stop"), tr("&Stop..."),
                  tr("The processor ends; a standby takes its seat"), &ProcessorActions::runStop);
    m_promote = make(QStringLiteral("promote"), tr("&Promote"),
                     tr("The processor moves to the front of those who become masters"),
                     &ProcessorActions::runPromote);
    connect(view.selectionModel(), &QItemSelectionModel::currentChanged, this,
            &ProcessorActions::renew);
    connect(&models.session, &Session::connectionChanged, this, &ProcessorActions::renew);
    connect(&models.session, &Session::changed, this, [this](const ChangeSet& changes) {
        if (changes.processors)
            renew();
    });
    connect(&models.system, &QAbstractItemModel::modelReset, this, &ProcessorActions::renew);
    renew();
}

QAction* ProcessorActions::make(const QString& icon, const QString& text, const QString& tip,
                                void (ProcessorActions::*run)())
{
    auto* action = new QAction(icons::named(icon), text, this);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    connect(action, &QAction::triggered, this, run);
    return action;
}

void ProcessorActions::fill(QMenu& menu)
{
    for (QAction* action : {m_drain, m_undrain, m_stop, m_promote})
        menu.addAction(action);
    menu.setToolTipsVisible(true);
}

std::optional<ProcessorId> ProcessorActions::current() const
{
    const QVariant number = m_view.currentIndex().data(SystemTreeModel::ProcessorRole);
    return number.isValid() ? std::optional(ProcessorId(number.toUInt())) : std::nullopt;
}

void ProcessorActions::renew()
{
    const auto id = current();
    const SystemProcessor* processor = id ? m_models.session.state().system().find(*id) : nullptr;
    const bool living = processor != nullptr && m_models.session.takesCommands()
        && !isAway(processor->health);
    m_drain->setEnabled(living && !processor->drained);
    m_undrain->setEnabled(living && processor->drained);
    m_stop->setEnabled(living);
    m_promote->setEnabled(living && m_models.session.state().system().master() != id);
}

void ProcessorActions::runDrain()
{
    if (const auto id = current())
        send(*m_drain, DrainProcessor{.processor = *id, .drained = true});
}

void ProcessorActions::runUndrain()
{
    if (const auto id = current())
        send(*m_undrain, DrainProcessor{.processor = *id, .drained = false});
}

void ProcessorActions::runPromote()
{
    if (const auto id = current())
        send(*m_promote, PromoteProcessor{.processor = *id});
}

void ProcessorActions::runStop()
{
    const auto id = current();
    if (!id)
        return;
    const SystemState& system = m_models.session.state().system();
    const QString name = wording::processor(system.label(*id));
    const SystemProcessor* processor = system.find(*id);
    const QString seat = processor != nullptr && processor->info.seat
        ? tr("It holds %1: a standby takes that over, if there is one, and what runs is run again.")
              .arg(wording::seat(system.label(*processor->info.seat)))
        : tr("It holds no seat.");
    QMessageBox question(QMessageBox::Question, tr("Stop a processor"),
                         tr("%1 will end. %2", "processor, what follows").arg(name, seat),
                         QMessageBox::NoButton, m_view.window());
    auto* yes = question.addButton(tr("&Stop it"), QMessageBox::DestructiveRole);
    auto* no = question.addButton(tr("&Keep it"), QMessageBox::RejectRole);
    question.setDefaultButton(no);
    question.exec();
    if (question.clickedButton() == yes)
        send(*m_stop, StopProcessor{.processor = *id});
}

void ProcessorActions::send(const QAction& action, OperatorCommand command)
{
    const QString what = wording::withoutMnemonic(action.text()).remove(QStringLiteral("..."));
    sendAndTell(
        m_models.session, std::move(command), m_view, what,
        [what](const Result<CommandAnswer>& answer) { return describe(what, answer, 0); },
        [this](const QString& text) { Q_EMIT said(text); });
}

} // namespace tasuki
