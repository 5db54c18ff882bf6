// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "editbar.h"
#include "models/runmodels.h"
#include "preferences.h"
#include "taskactions.h"
#include "taskchips.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QTableView;

namespace tasuki {

class EmptyHint;

/// The task table with its filter, its actions and its editing.
class TaskPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models, preferences  must outlive the widget
    TaskPanel(RunModels& models, Preferences& preferences, QWidget* parent = nullptr);
    ~TaskPanel() override;

    [[nodiscard]] TaskActions& actions() { return *m_actions; }
    [[nodiscard]] EditBar& editing() { return *m_editing; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] QLineEdit& filterLine() { return *m_filterLine; }
    [[nodiscard]] TaskChips& chips() { return *m_chips; }
    [[nodiscard]] QComboBox& ranks() { return *m_ranks; }

    void focusFilter();
    void showRank(Rank rank);
    void clearFilter();
    /// Asks for a file and writes what is shown to it.
    void exportTable();

Q_SIGNALS:
    void said(const QString& text);
    /// A task was activated: its details are wanted.
    void detailsWanted();

private:
    QWidget* makeFilterRow();
    void makeTools();
    void makeTable(Preferences& preferences);
    void applyFilter();
    void renewRanks();
    void renewCounts();
    void renewCellText();
    void takeCurrent(const QModelIndex& current);
    void showSelection();
    void parkCurrent(const QModelIndex& parent, int first);
    void unparkCurrent();
    void explainFixed(const QModelIndex& index);
    [[nodiscard]] QString emptyText() const;

    RunModels& m_models;
    TaskActions* m_actions = nullptr;
    EditBar* m_editing = nullptr;
    QLineEdit* m_filterLine = nullptr;
    QComboBox* m_ranks = nullptr;
    QLabel* m_count = nullptr;
    TaskChips* m_chips = nullptr;
    QHBoxLayout* m_tools = nullptr;
    QTableView* m_table = nullptr;
    EmptyHint* m_hint = nullptr;
    QLabel* m_cellText = nullptr;
    QTimer m_typing;
    int m_rowBefore = -1;    ///< of the current cell, before rows moved
    int m_parkedColumn = -1; ///< of the current cell, while its row goes
    bool m_quiet = false;    ///< the current row changes, but not by the user
};

} // namespace tasuki
