// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runmodels.h"
#include "preferences.h"

class QTreeView;

namespace tasuki {

class EmptyHint;

/// Hosts and ranks with how they are; the selected rank is the selection's processor.
class ProcessorPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models, preferences  must outlive the widget
    ProcessorPanel(RunModels& models, Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& view() { return *m_view; }

Q_SIGNALS:
    /// The user wants to see the tasks of a rank alone.
    void tasksOfRankWanted(tasuki::Rank rank);

private:
    void selectInView();
    void showMenu(QPoint at);
    [[nodiscard]] QString emptyText() const;

    RunModels& m_models;
    QTreeView* m_view = nullptr;
    EmptyHint* m_hint = nullptr;
};

} // namespace tasuki
