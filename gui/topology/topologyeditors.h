// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "topologydocument.h"

#include <vector>

class QTabWidget;

namespace tasuki {

class CellTableView;
class ProblemBar;
class SubclusterTableModel;
class SystemForm;

/// Where a topology is edited: its subclusters in a table, what holds for the system in a form, and
/// above them what is wrong with it as it is.
class TopologyEditors : public QWidget {
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Subclusters, System };

    /// @param document  must outlive the widget
    explicit TopologyEditors(TopologyDocument& document, QWidget* parent = nullptr);

    void showPage(Page page);
    [[nodiscard]] Page page() const;
    [[nodiscard]] CellTableView& table() const { return *m_table; }
    [[nodiscard]] SystemForm& system() const { return *m_system; }
    [[nodiscard]] TopologyDocument& document() const { return m_document; }
    [[nodiscard]] ProblemBar& faults() const { return *m_faults; }
    /// Subclusters, ascending; when none is chosen, that of the current cell.
    [[nodiscard]] QList<int> chosenRows() const;

    /// Takes what is being typed.
    /// @return false: it is wrong; it has the focus
    bool finishEditing();
    /// Shows a cell and gives it the focus.
    void showPlace(const TopologyPlace& place);
    /// Shows what is wrong first. Precondition: the document has faults.
    void showFirstFault();
    /// Begins to edit the name of a subcluster.
    void editName(std::size_t subcluster);
    /// Takes a step back, or again, and shows what that changes.
    void retrace(bool undo);

Q_SIGNALS:
    /// Another page or cell is the current one.
    void moved();
    /// What was pasted or should be cleared is not.
    void refused(const QString& reason);

private:
    void renewFaults();
    void renewTitles();
    void takeReset(const QList<int>& pointed);

    TopologyDocument& m_document;
    ProblemBar* m_faults = nullptr;
    std::vector<TopologyPlace> m_faultPlaces; ///< of the lines of m_faults
    QTabWidget* m_tabs = nullptr;
    SubclusterTableModel* m_model = nullptr;
    CellTableView* m_table = nullptr;
    SystemForm* m_system = nullptr;
    bool m_retracing = false;
};

} // namespace tasuki
