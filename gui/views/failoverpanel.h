// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runmodels.h"
#include "preferences.h"

class QAction;
class QTableView;

namespace tasuki {

class EmptyHint;

/// Which seats were lost and who took them over, the newest first; each leads to its place on the
/// timeline.
class FailoverPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models, preferences  must outlive the widget
    FailoverPanel(RunModels& models, Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] QTableView& view() { return *m_view; }
    [[nodiscard]] QAction& showOnTimeline() { return *m_show; }
    void exportTable();

Q_SIGNALS:
    /// The user wants to see a moment on the timeline.
    /// @param rank  none: it was no rank that changed hands
    void placeWanted(std::optional<tasuki::Rank> rank, tasuki::WallTime moment);
    void said(const QString& text);

private:
    void makeTable(Preferences& preferences);
    void makeActions();
    void lead(const QModelIndex& index);
    [[nodiscard]] QString emptyText() const;

    RunModels& m_models;
    QTableView* m_view = nullptr;
    EmptyHint* m_hint = nullptr;
    QAction* m_show = nullptr;
};

} // namespace tasuki
