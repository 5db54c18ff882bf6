// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runmodels.h"
#include "preferences.h"

class QAction;
class QLabel;
class QTableView;

namespace tasuki {

class EmptyHint;

/// The alarms of a run, those that nobody has acknowledged first, and how they are acknowledged.
class AlarmPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models, preferences  must outlive the widget
    AlarmPanel(RunModels& models, Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] QTableView& view() { return *m_view; }
    /// Asks for a comment and acknowledges the selected alarms; when none is, all open ones.
    [[nodiscard]] QAction& acknowledge() { return *m_acknowledge; }
    /// Leads to the place of the current alarm.
    [[nodiscard]] QAction& showOnTimeline() { return *m_show; }
    void exportTable();

Q_SIGNALS:
    /// The user wants to see where and when an alarm was raised.
    /// @param rank  none: it is about no rank
    void placeWanted(std::optional<tasuki::Rank> rank, tasuki::WallTime moment);
    void said(const QString& text);

private:
    void makeActions();
    QWidget* makeControls();
    void makeTable(Preferences& preferences);
    void renew();
    void lead(const QModelIndex& index);
    void ask();
    void send(std::vector<AlarmTarget> targets, const QString& comment,
              std::optional<WallTime> until);
    /// As they are seen now.
    [[nodiscard]] std::vector<AlarmTarget> targets() const;
    [[nodiscard]] QString whyNot() const;
    [[nodiscard]] QString emptyText() const;

    RunModels& m_models;
    QTableView* m_view = nullptr;
    EmptyHint* m_hint = nullptr;
    QAction* m_acknowledge = nullptr;
    QAction* m_show = nullptr;
    QLabel* m_count = nullptr;
};

} // namespace tasuki
