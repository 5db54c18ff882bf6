// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runmodels.h"

class QLayout;
class QTableView;

namespace tasuki {

class ProcessorActions;
class ProcessorTableModel;

/// The processors of a running system, with what can be ordered of them.
class RunningProcessors : public QWidget {
    Q_OBJECT

public:
    /// @param models  must outlive the widget
    explicit RunningProcessors(RunModels& models, QWidget* parent = nullptr);

    [[nodiscard]] int count() const;
    [[nodiscard]] QTableView& table() const { return *m_table; }
    [[nodiscard]] ProcessorActions& actions() const { return *m_actions; }

Q_SIGNALS:
    void countChanged();
    /// Something for the status line.
    void said(const QString& text);

private:
    QTableView* makeTable(RunModels& models);
    QLayout* makeButtons();
    void showMenu(QPoint at);

    ProcessorTableModel* m_model;
    QTableView* m_table;
    ProcessorActions* m_actions;
};

} // namespace tasuki
