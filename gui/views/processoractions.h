// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>

#include "models/processorroles.h"
#include "models/runmodels.h"

#include <array>

class QAbstractItemView;
class QMenu;

namespace tasuki {

/// What an operator can do with the current processor of a view. Actions are enabled when they can do
/// something, else they say why not; what the agent makes of them is told.
class ProcessorActions : public QObject {
    Q_OBJECT

public:
    /// @param view  its model tells SystemTreeModel::ProcessorRole; both must outlive this object
    ProcessorActions(RunModels& models, QAbstractItemView& view);

    [[nodiscard]] QAction& drain() { return *m_drain; }
    [[nodiscard]] QAction& undrain() { return *m_undrain; }
    [[nodiscard]] QAction& stop() { return *m_stop; }
    [[nodiscard]] QAction& promote() { return *m_promote; }
    /// Null: a role that cannot be given.
    [[nodiscard]] QAction* role(ProcessorKind kind) const;

    /// The roles to choose from.
    [[nodiscard]] QMenu& roles() { return *m_roles; }
    /// Puts all of them into a menu.
    void fill(QMenu& menu);

Q_SIGNALS:
    /// Something for the status line.
    void said(const QString& text);

private:
    QAction* make(const QString& icon, const QString& text, const QString& tip,
                  void (ProcessorActions::*run)());
    void makeRoles();
    void renew();
    void renewRoles(std::optional<ProcessorId> id, bool takesCommands);
    /// @return whether the operator means it
    bool ask(const QString& title, const QString& text, const QString& yes, const QString& no);
    /// None: the current row is not a processor.
    [[nodiscard]] std::optional<ProcessorId> current() const;
    void runDrain();
    void runUndrain();
    void runStop();
    void runPromote();
    void runRole(ProcessorKind kind);
    void send(const QAction& action, OperatorCommand command);

    RunModels& m_models;
    QAbstractItemView& m_view;
    QAction* m_drain = nullptr;
    QAction* m_undrain = nullptr;
    QAction* m_stop = nullptr;
    QAction* m_promote = nullptr;
    QMenu* m_roles = nullptr;
    std::array<QAction*, changeableRoles.size()> m_roleActions{};
};

} // namespace tasuki
