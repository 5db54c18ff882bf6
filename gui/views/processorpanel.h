// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runmodels.h"
#include "preferences.h"

class QStackedWidget;
class QTreeView;

namespace tasuki {

class EmptyHint;
class SystemTreeView;

/// The failure hierarchy of a run; of a run without one, hosts and ranks with how they are. The
/// selected rank is the selection's processor.
class ProcessorPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models, preferences  must outlive the widget
    ProcessorPanel(RunModels& models, Preferences& preferences, QWidget* parent = nullptr);

    /// Hosts and ranks.
    [[nodiscard]] QTreeView& view() { return *m_view; }
    [[nodiscard]] SystemTreeView& system() { return *m_system; }
    [[nodiscard]] bool showsSystem() const;

Q_SIGNALS:
    /// The user wants to see the tasks of a rank alone.
    void tasksOfRankWanted(tasuki::Rank rank);
    void treeChanged();

private:
    void makeHostView(Preferences& preferences);
    void chooseTree();
    void selectInView();
    void showMenu(QPoint at);
    [[nodiscard]] QString emptyText() const;

    RunModels& m_models;
    QStackedWidget* m_stack = nullptr;
    QTreeView* m_view = nullptr;
    SystemTreeView* m_system = nullptr;
    EmptyHint* m_hint = nullptr;
};

} // namespace tasuki
