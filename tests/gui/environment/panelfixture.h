// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "cells/celltableview.h"
#include "cells/reasonbubble.h"
#include "cells/valueline.h"
#include "environment/environmentpanel.h"
#include "sampleenvironment.h"

#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <memory>

namespace tasuki::testing {

/// A panel in a window of its own, and what a user does to it.
class PanelFixture {
protected:
    void open()
    {
        m_document = std::make_unique<EnvironmentDocument>();
        m_panel = std::make_unique<EnvironmentPanel>(*m_document);
        m_panel->resize(900, 600);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        m_panel->activateWindow();
        m_document->undoStack().setClean();
    }
    /// With the sample.
    void fill()
    {
        m_document->replace(sampleEnvironment(), QStringLiteral("Sample"));
        m_document->undoStack().setClean();
    }
    void close()
    {
        m_panel.reset();
        m_document.reset();
    }

    QModelIndex node(int row, NodeField field) const
    {
        return m_panel->nodeTable().model()->index(row, static_cast<int>(field));
    }
    /// Begins to edit a cell as a user does.
    static CheckedLine* edit(CellTableView& table, const QModelIndex& index)
    {
        click(table, index);
        QTest::keyClick(&table, Qt::Key_Return);
        settle();
        return table.editor();
    }
    static void click(CellTableView& table, const QModelIndex& index)
    {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    }
    static QString shownReason(const CellTableView& table)
    {
        for (const auto* bubble : table.viewport()->findChildren<ReasonBubble*>()) {
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
    /// Presses a button of the question that comes next.
    static void answer(QMessageBox::StandardButton button)
    {
        QTimer::singleShot(0, qApp, [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            box->button(button)->click();
        });
    }

    std::unique_ptr<EnvironmentDocument> m_document;
    std::unique_ptr<EnvironmentPanel> m_panel;
};

} // namespace tasuki::testing
