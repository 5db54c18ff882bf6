// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QTreeView>

#include "models/runmodels.h"
#include "preferences.h"

namespace tasuki {

class ProcessorActions;

/// The failure hierarchy of a run. The rank that the selected processor holds is the selection's
/// processor. What is folded stays so when the tree is laid out anew.
class SystemTreeView : public QTreeView {
    Q_OBJECT

public:
    /// @param models, preferences  must outlive the widget
    SystemTreeView(RunModels& models, Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] ProcessorActions& actions() { return *m_actions; }
    /// Pixels that the columns shown at first need.
    [[nodiscard]] static int wantedWidth(const QFontMetrics& metrics);

Q_SIGNALS:
    /// The user wants to see the tasks of a rank alone.
    void tasksOfRankWanted(tasuki::Rank rank);

private:
    void makeHeader(Preferences& preferences);
    void makeRoomForPrograms();
    void remember();
    void restore();
    void visit(const QModelIndex& parent, const QString& path);
    void lead(const QModelIndex& current);
    void selectInView();
    void showMenu(QPoint at);

    RunModels& m_models;
    ProcessorActions* m_actions = nullptr;
    QSet<QString> m_folded;              ///< paths of parts
    std::optional<ProcessorId> m_before; ///< current before the tree was laid out anew
    bool m_known = false;                ///< m_folded says something
};

} // namespace tasuki
