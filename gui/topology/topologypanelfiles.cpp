// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TopologyPanel that opens and saves.
#include "cells/problembar.h"
#include "fileconflictdialog.h"
#include "rulewords.h"
#include "topologypanel.h"
#include "views/theme.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace tasuki {

void TopologyPanel::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(
        window(), tr("Open a topology"), QFileInfo(m_document.path()).path(),
        tr("Topologies (*.toml)") + QStringLiteral(";;") + tr("All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void TopologyPanel::open(const QString& path)
{
    if (mayDiscard())
        m_document.open(path);
}

void TopologyPanel::beginNew()
{
    if (!mayDiscard())
        return;
    m_problems->hide();
    m_document.clear();
}

void TopologyPanel::takeOpened(const QString& path, bool taken,
                               const std::vector<Diagnostic>& diagnostics)
{
    const QString name = QFileInfo(path).fileName();
    const auto count = static_cast<int>(diagnostics.size());
    if (!taken) {
        m_problems->show(theme::Tint::Failure,
                         tr("%1 cannot be used: %n thing(s) wrong in it", nullptr, count).arg(name),
                         rulewords::translated(diagnostics));
    } else if (!diagnostics.empty()) {
        m_problems->show(theme::Tint::Warning,
                         tr("%1 is open; %n thing(s) to note", nullptr, count).arg(name),
                         rulewords::translated(diagnostics));
    } else {
        m_problems->hide();
        noteComments();
    }
    renew();
}

/// The file is written anew when it is saved.
void TopologyPanel::noteComments()
{
    const std::vector<std::string> comments = m_document.ownComments();
    if (comments.empty())
        return;
    QString first = QStringLiteral("# ") + QString::fromStdString(comments.front());
    if (comments.size() > 1)
        first += QStringLiteral(" ...");
    m_problems->show(theme::Tint::Warning,
                     tr("Saving writes the file anew: %n comment(s) of its own would be lost",
                        nullptr, static_cast<int>(comments.size())),
                     first);
}

bool TopologyPanel::save()
{
    return m_document.path().isEmpty() ? saveAs() : saveTo(m_document.path());
}

bool TopologyPanel::saveAs()
{
    if (!finishEditing())
        return false;
    const QString before = m_document.path();
    QString path = QFileDialog::getSaveFileName(
        window(), tr("Save the topology"),
        before.isEmpty() ? QStringLiteral("topology.toml") : before, tr("Topologies (*.toml)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".toml");
    return saveTo(path);
}

bool TopologyPanel::resolve(const FileOnDisk& file)
{
    FileConflictDialog question(m_document, file, window());
    question.exec();
    switch (question.choice()) {
    case FileConflictDialog::Choice::Mine: return true;
    case FileConflictDialog::Choice::Theirs:
        m_document.takeFile(file);
        m_problems->hide();
        Q_EMIT said(tr("What stands in the file was taken; Undo brings your edits back."));
        return false;
    case FileConflictDialog::Choice::Neither: break;
    }
    return false;
}

bool TopologyPanel::mayReplaceFile()
{
    const FileOnDisk file = m_document.lookAtFile();
    switch (file.state) {
    case FileOnDisk::State::AsKnown: return true;
    case FileOnDisk::State::Changed: return resolve(file);
    case FileOnDisk::State::Gone:
        return QMessageBox::question(window(), tr("Topology"),
                                     tr("%1 is no longer there. Save it again?").arg(fileName()),
                                     QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Save)
            == QMessageBox::Save;
    case FileOnDisk::State::Unreadable:
        m_problems->show(theme::Tint::Failure,
                         tr("%1 cannot be read any more, and was not replaced").arg(fileName()),
                         file.problem);
        return false;
    }
    return false;
}

bool TopologyPanel::saveTo(const QString& path)
{
    if (!finishEditing()) {
        renewMessage(tr("It was not saved: what is being typed is wrong."), true);
        return false;
    }
    if (!m_document.faults().empty() && !m_document.isEmpty()) {
        m_editors->showFirstFault();
        renewMessage(tr("It was not saved: what is said above has to be mended first."), true);
        return false;
    }
    const bool sameFile = !m_document.path().isEmpty()
        && QFileInfo(path).absoluteFilePath() == QFileInfo(m_document.path()).absoluteFilePath();
    if (sameFile && !mayReplaceFile())
        return m_document.isClean(); // theirs was taken, or the user wants to stay
    const Result<void> saved = m_document.save(path);
    const QString name = QFileInfo(path).fileName();
    if (!saved) {
        m_problems->show(theme::Tint::Failure, tr("%1 cannot be saved").arg(name),
                         QString::fromStdString(saved.error().text()));
        return false;
    }
    m_problems->hide();
    renewMessage({}, false);
    Q_EMIT said(tr("The topology is in %1.").arg(path));
    renew();
    return true;
}

bool TopologyPanel::mayDiscard()
{
    if (!finishEditing())
        return false;
    if (m_document.isClean())
        return true;
    QMessageBox question(QMessageBox::Question, tr("Topology"),
                         tr("%1 has edits that are not saved.").arg(fileName()),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window());
    question.setDefaultButton(QMessageBox::Save);
    switch (question.exec()) {
    case QMessageBox::Save: return save();
    case QMessageBox::Discard: return true;
    default: return false;
    }
}

} // namespace tasuki
