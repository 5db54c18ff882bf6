// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "cells/editorpages.h"
#include "editedtopology.h"

#include <vector>

namespace tasuki {

class ProblemBar;
class SystemForm;

/// Where a topology is edited: its subclusters in a table, what holds for the system in a form, and
/// above them what is wrong with it as it is.
class TopologyEditors : public QWidget {
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Subclusters, System };

    /// @param topology  must outlive the widget
    explicit TopologyEditors(EditedTopology& topology, QWidget* parent = nullptr);

    [[nodiscard]] EditorPages& pages() const { return *m_pages; }
    void showPage(Page page) { m_pages->setCurrentIndex(static_cast<int>(page)); }
    [[nodiscard]] Page page() const { return static_cast<Page>(m_pages->currentIndex()); }
    [[nodiscard]] CellTableView& table() const { return m_pages->table(); }
    [[nodiscard]] SystemForm& system() const { return *m_system; }
    [[nodiscard]] ProblemBar& faults() const { return *m_faults; }
    /// Shows a cell and gives it the focus.
    void showPlace(const TopologyPlace& place);
    /// Shows what is wrong first. Precondition: the topology has faults.
    void showFirstFault();

private:
    void renewFaults();
    void renewTitles();
    void takeReset(const QList<int>& pointed);

    EditedTopology& m_topology;
    ProblemBar* m_faults = nullptr;
    std::vector<TopologyPlace> m_faultPlaces; ///< of the lines of m_faults
    EditorPages* m_pages = nullptr;
    SystemForm* m_system = nullptr;
};

} // namespace tasuki
