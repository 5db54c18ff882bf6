// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "runningtopology.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace tasuki {

/// Lets an operator decide for each value that others have changed meanwhile what shall stand; hidden
/// while there is none.
class ConflictList : public QWidget {
    Q_OBJECT

public:
    /// @param topology  must outlive the widget
    explicit ConflictList(RunningTopology& topology, QWidget* parent = nullptr);

    [[nodiscard]] int rows() const { return static_cast<int>(m_shown.size()); }
    /// Buttons of a row.
    [[nodiscard]] QPushButton& mine(int row) const;
    [[nodiscard]] QPushButton& theirs(int row) const;
    [[nodiscard]] QString headline() const;

Q_SIGNALS:
    /// Somebody wants to see a cell.
    void placeWanted(const tasuki::TopologyPlace& place);

private:
    void renew();
    void fill();
    void addRow(int row, const TopologyConflict& conflict);

    RunningTopology& m_topology;
    std::vector<TopologyConflict> m_shown;
    QLabel* m_headline = nullptr;
    QPushButton* m_allTheirs = nullptr;
    QScrollArea* m_scroll = nullptr;
};

} // namespace tasuki
