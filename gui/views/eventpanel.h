// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runmodels.h"
#include "preferences.h"

class QCheckBox;
class QComboBox;
class QTableView;

namespace tasuki {

class EmptyHint;

/// What happened in the run. Stays at the end while the end is seen; an event leads to its task and
/// processor.
class EventPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models, preferences  must outlive the widget
    EventPanel(RunModels& models, Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] QTableView& view() { return *m_view; }
    /// @return the events that are shown, a line each, columns separated by tabs
    [[nodiscard]] QString text() const;

private:
    QWidget* makeControls();
    void lead(const QModelIndex& index);

    RunModels& m_models;
    QTableView* m_view = nullptr;
    QCheckBox* m_all = nullptr;
    QComboBox* m_severity = nullptr;
    EmptyHint* m_hint = nullptr;
    bool m_atEnd = true;
};

} // namespace tasuki
