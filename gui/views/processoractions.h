// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>

#include "models/runmodels.h"

class QMenu;

namespace tasuki {

class SystemTreeView;

/// What an operator can do with the current processor of the tree. Actions are enabled when they
/// can do something; what the agent makes of them is told.
class ProcessorActions : public QObject {
    Q_OBJECT

public:
    /// @param view  shows models.system; both must outlive this object
    ProcessorActions(RunModels& models, SystemTreeView& view);

    [[nodiscard]] QAction& drain() { return *m_drain; }
    [[nodiscard]] QAction& undrain() { return *m_undrain; }
    [[nodiscard]] QAction& stop() { return *m_stop; }
    [[nodiscard]] QAction& promote() { return *m_promote; }

    /// Puts all of them into a menu.
    void fill(QMenu& menu);

Q_SIGNALS:
    /// Something for the status line.
    void said(const QString& text);

private:
    QAction* make(const QString& icon, const QString& text, const QString& tip,
                  void (ProcessorActions::*run)());
    void renew();
    /// None: the current row is not a processor.
    [[nodiscard]] std::optional<ProcessorId> current() const;
    void runDrain();
    void runUndrain();
    void runStop();
    void runPromote();
    void send(const QAction& action, OperatorCommand command);

    RunModels& m_models;
    SystemTreeView& m_view;
    QAction* m_drain = nullptr;
    QAction* m_undrain = nullptr;
    QAction* m_stop = nullptr;
    QAction* m_promote = nullptr;
};

} // namespace tasuki
