// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "cells/celltableview.h"
#include "linkmatrixmodel.h"

class QAction;
class QCheckBox;
class QLabel;
class QRadioButton;

namespace tasuki {

/// The links of an environment: which figure is shown, the matrix, and all about the current cell.
class LinkPage : public QWidget {
    Q_OBJECT

public:
    /// @param document  must outlive the widget
    explicit LinkPage(EnvironmentDocument& document, QWidget* parent = nullptr);

    [[nodiscard]] CellTableView& table() const { return *m_table; }
    [[nodiscard]] LinkMatrixModel& model() const { return *m_model; }
    [[nodiscard]] QRadioButton& button(LinkFigure figure) const;
    [[nodiscard]] QCheckBox& bothWays() const { return *m_bothWays; }
    [[nodiscard]] QAction& useDefault() const { return *m_useDefault; }

private:
    QWidget* makeChoices();
    void linkChoices();
    void fitColumns();
    void renewDescription();

    LinkMatrixModel* m_model;
    CellTableView* m_table;
    std::array<QRadioButton*, allLinkFigures.size()> m_figures{};
    QCheckBox* m_bothWays = nullptr;
    QAction* m_useDefault = nullptr;
    QLabel* m_description = nullptr;
};

} // namespace tasuki
