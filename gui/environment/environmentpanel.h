// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/editorpages.h"
#include "cells/fileeditorpanel.h"
#include "environmentdocument.h"
#include "plan/freelinks.h"

namespace tasuki {

class CellTableView;
class GeneralForm;
class LinkPage;

/// Shows and edits an environment: its file, nodes, links, and what holds for all of them.
class EnvironmentPanel : public FileEditorPanel {
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Nodes, Links, General };

    /// @param document  must outlive the widget
    explicit EnvironmentPanel(EnvironmentDocument& document, QWidget* parent = nullptr);

    void showPage(Page page) { m_pages->setCurrentIndex(static_cast<int>(page)); }
    [[nodiscard]] Page page() const { return static_cast<Page>(m_pages->currentIndex()); }
    [[nodiscard]] CellTableView& nodeTable() const { return m_pages->table(); }
    [[nodiscard]] LinkPage& links() const { return *m_links; }
    [[nodiscard]] GeneralForm& general() const { return *m_general; }
    [[nodiscard]] ProblemBar& freeLinks() const { return *m_freeLinks; }

protected:
    void renewMore() override;
    [[nodiscard]] bool hasRoom() const override;
    std::optional<std::size_t> addRow() override { return m_document.addNode(); }
    bool duplicateRows(const QList<int>& rows) override { return m_document.duplicateNodes(rows); }
    QString removeRows(const QList<int>& rows) override;

private:
    void link();
    void renewFreeLinks();

    EnvironmentDocument& m_document;
    EditorPages* m_pages = nullptr;
    LinkPage* m_links = nullptr;
    GeneralForm* m_general = nullptr;
    ProblemBar* m_freeLinks = nullptr; ///< warns of links that cost nothing
    plan::FreeLinks m_toldFree;
};

} // namespace tasuki
