// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <QTest>

#include "cells/celltableview.h"
#include "cells/reasonbubble.h"
#include "cells/valueline.h"
#include "sampletopology.h"
#include "topology/outcomeview.h"
#include "topology/subclustertablemodel.h"
#include "topology/topologypanel.h"

#include <QApplication>

#include <memory>

namespace tasuki::testing {

/// A panel in a window of its own with the sample in a file, and what a user does to it.
class TopologyFixture {
protected:
    void open()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("two-stages.toml"));
        m_document = std::make_unique<TopologyDocument>();
        m_panel = std::make_unique<TopologyPanel>(*m_document);
        m_panel->resize(1100, 760);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        m_panel->activateWindow();
    }
    void fill()
    {
        writeFile(m_path,
                  "[[subcluster]]\nname = \"antenna\"\nactive = 4\nstandby = 1\nio = 1\n"
                  "minimum = 2\nunits = 2\nhosts = [\"node0\"]\n"
                  "[[subcluster]]\nname = \"filter\"\nactive = 4\nstandby = 1\nio = 1\n");
        QVERIFY(m_document->load(m_path).empty());
        QVERIFY(m_document->topology() == sampleTopology());
        m_panel->outcome().renewNow();
        settle();
    }
    void close()
    {
        m_panel.reset();
        m_document.reset();
        m_folder.reset();
    }

    QModelIndex cell(int row, config::TopologyField field) const
    {
        return m_panel->table().model()->index(row, SubclusterTableModel::columnOf(field));
    }
    /// Begins to edit a cell as a user does.
    CheckedLine* edit(const QModelIndex& index) const
    {
        click(index);
        QTest::keyClick(&m_panel->table(), Qt::Key_Return);
        settle();
        return m_panel->table().editor();
    }
    void click(const QModelIndex& index) const
    {
        CellTableView& table = m_panel->table();
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    }
    [[nodiscard]] QString shownReason() const
    {
        for (const auto* bubble : m_panel->findChildren<ReasonBubble*>()) {
            if (bubble->isVisible())
                return bubble->text();
        }
        return {};
    }
    static void settle()
    {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    [[nodiscard]] const config::SubclusterSpec& spec(std::size_t row) const
    {
        return m_document->topology().subclusters[row];
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::unique_ptr<TopologyDocument> m_document;
    std::unique_ptr<TopologyPanel> m_panel;
};

} // namespace tasuki::testing
