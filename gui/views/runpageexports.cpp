// SPDX-License-Identifier: GPL-3.0-or-later
// The files that RunPage writes.
#include "runpage.h"

#include "eventpanel.h"
#include "models/wording.h"
#include "tableexport.h"
#include "timeline/timelinewidget.h"

#include <QFileDialog>
#include <QMessageBox>

namespace tasuki {

void RunPage::tellExport(const QString& what, const QString& path, const QString& problem)
{
    if (problem.isEmpty())
        Q_EMIT said(tr("%1: written to %2").arg(what, path));
    else
        QMessageBox::warning(window(), what, problem);
}

void RunPage::exportTimeline()
{
    const QString what = tr("Export the timeline");
    const QString path = QFileDialog::getSaveFileName(
        window(), what, QStringLiteral("timeline.png"),
        tr("Picture (*.png)") + QStringLiteral(";;") + tr("Drawing (*.svg)") + QStringLiteral(";;")
            + tr("Document (*.pdf)"));
    if (path.isEmpty())
        return;
    const Result<void> written = m_timeline->exportImage(path);
    tellExport(what, path, written ? QString() : wording::text(written.error().text()));
}

void RunPage::exportEvents()
{
    const QString what = tr("Export the events");
    const QString path = QFileDialog::getSaveFileName(window(), what, QStringLiteral("events.txt"),
                                                      tr("Text (*.txt)"));
    if (!path.isEmpty())
        tellExport(what, path, writeWholeFile(path, m_events->text().toUtf8()));
}

void RunPage::exportTaskList()
{
    const QString what = tr("Export the task list");
    const Result<std::string> text = models().drafts.listText();
    if (!text) {
        QMessageBox::warning(window(), what, wording::text(text.error().text()));
        return;
    }
    const QString path = QFileDialog::getSaveFileName(window(), what, QStringLiteral("tasks.sh"),
                                                      tr("Task list (*.sh *.txt)"));
    if (!path.isEmpty())
        tellExport(what, path, writeWholeFile(path, QByteArray::fromStdString(*text)));
}

} // namespace tasuki
