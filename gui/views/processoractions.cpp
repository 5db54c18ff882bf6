// SPDX-License-Identifier: GPL-3.0-or-later
#include "processoractions.h"

#include "commandreport.h"
#include "icons.h"
#include "models/wording.h"

#include <QAbstractItemView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <tuple>

namespace tasuki {

namespace {

/// @return the name of an action as it stands on buttons and in messages
QString bare(const QString& text)
{
    return wording::withoutMnemonic(text)
        .remove(QStringLiteral("..."))
        .remove(QChar(0x2026)); // the same in one letter
}

} // namespace

ProcessorActions::ProcessorActions(RunModels& models, QAbstractItemView& view)
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
    makeRoles();
    connect(view.selectionModel(), &QItemSelectionModel::currentChanged, this,
            &ProcessorActions::renew);
    connect(&models.session, &Session::connectionChanged, this, &ProcessorActions::renew);
    connect(&models.session, &Session::changed, this, [this](const ChangeSet& changes) {
        if (changes.processors)
            renew();
    });
    connect(view.model(), &QAbstractItemModel::modelReset, this, &ProcessorActions::renew);
    renew();
}

QAction* ProcessorActions::make(const QString& icon, const QString& text, const QString& tip,
                                void (ProcessorActions::*run)())
{
    auto* action = new QAction(icons::named(icon), text, this);
    action->setIconText(bare(text));
    action->setToolTip(tip);
    action->setStatusTip(tip);
    connect(action, &QAction::triggered, this, run);
    return action;
}

void ProcessorActions::makeRoles()
{
    m_roles = new QMenu(tr("Change &role"), &m_view);
    m_roles->setIcon(icons::named(QStringLiteral("edit")));
    m_roles->menuAction()->setIconText(bare(m_roles->title()));
    m_roles->setToolTipsVisible(true);
    const std::array names{tr("&Active..."), tr("&Standby..."), tr("&I/O...")};
    static_assert(std::tuple_size_v<decltype(names)> == changeableRoles.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_roleActions[i] = m_roles->addAction(names[i]);
        connect(m_roleActions[i], &QAction::triggered, this,
                [this, i] { runRole(changeableRoles[i]); });
    }
}

QAction* ProcessorActions::role(ProcessorKind kind) const
{
    const auto* const found = std::ranges::find(changeableRoles, kind);
    return found == changeableRoles.end()
        ? nullptr
        : m_roleActions[static_cast<std::size_t>(found - changeableRoles.begin())];
}

void ProcessorActions::fill(QMenu& menu)
{
    for (QAction* action : {m_drain, m_undrain, m_stop, m_promote})
        menu.addAction(action);
    menu.addMenu(m_roles);
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
    const bool takesCommands = m_models.session.takesCommands();
    const bool living = processor != nullptr && takesCommands && !isUnreachable(processor->health);
    m_drain->setEnabled(living && !processor->drained);
    m_undrain->setEnabled(living && processor->drained);
    m_stop->setEnabled(living);
    m_promote->setEnabled(living && m_models.session.state().system().master() != id);
    renewRoles(processor != nullptr ? id : std::nullopt, takesCommands);
}

void ProcessorActions::renewRoles(std::optional<ProcessorId> id, bool takesCommands)
{
    m_roles->menuAction()->setEnabled(id.has_value());
    for (std::size_t i = 0; id && i < m_roleActions.size(); ++i) {
        QString refusal = roleRefusal(m_models.session.state().system(), *id, changeableRoles[i]);
        if (refusal.isEmpty() && !takesCommands)
            refusal = tr("Without a connection to the agent nothing can be ordered.");
        QAction& action = *m_roleActions[i];
        action.setEnabled(refusal.isEmpty());
        action.setToolTip(refusal);
        action.setStatusTip(refusal);
    }
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
    const QString text = tr("%1 will end. %2", "processor, what follows").arg(name, seat);
    if (ask(tr("Stop a processor"), text, tr("&Stop it"), tr("&Keep it")))
        send(*m_stop, StopProcessor{.processor = *id});
}

void ProcessorActions::runRole(ProcessorKind kind)
{
    const auto id = current();
    const SystemState& system = m_models.session.state().system();
    if (!id || !roleRefusal(system, *id, kind).isEmpty())
        return;
    const QString text = tr("%1 becomes: %2. %3", "processor, role, what follows")
                             .arg(wording::processor(system.label(*id)),
                                  wording::processorKind(kind), roleConsequence(system, *id, kind));
    if (ask(tr("Change the role of a processor"), text, tr("&Change it"), tr("&Leave it")))
        send(*m_roles->menuAction(), ChangeRole{.processor = *id, .kind = kind});
}

bool ProcessorActions::ask(const QString& title, const QString& text, const QString& yes,
                           const QString& no)
{
    QMessageBox question(QMessageBox::Question, title, text, QMessageBox::NoButton,
                         m_view.window());
    const auto* agree = question.addButton(yes, QMessageBox::DestructiveRole);
    question.setDefaultButton(question.addButton(no, QMessageBox::RejectRole));
    question.exec();
    return question.clickedButton() == agree;
}

void ProcessorActions::send(const QAction& action, OperatorCommand command)
{
    const QString what = bare(action.text());
    sendAndTell(
        m_models.session, std::move(command), m_view, what,
        [what](const Result<CommandAnswer>& answer) { return describe(what, answer, 0); },
        [this](const QString& text) { Q_EMIT said(text); });
}

} // namespace tasuki
