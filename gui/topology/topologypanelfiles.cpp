// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TopologyPanel about its file.
#include "cells/problembar.h"
#include "fileconflictdialog.h"
#include "rulewords.h"
#include "topologypanel.h"

namespace tasuki {

void TopologyPanel::beginNew()
{
    if (!mayDiscard())
        return;
    problems().hide();
    m_document.clear();
}

/// The file is written anew when it is saved.
void TopologyPanel::noteOpened()
{
    const std::vector<std::string> comments = m_document.ownComments();
    if (comments.empty())
        return;
    QString first = QStringLiteral("# ") + QString::fromStdString(comments.front());
    if (comments.size() > 1)
        first += QStringLiteral(" ...");
    problems().show(theme::Tint::Warning,
                    tr("Saving writes the file anew: %n comment(s) of its own would be lost",
                       nullptr, static_cast<int>(comments.size())),
                    first);
}

bool TopologyPanel::maySave()
{
    if (m_document.faults().empty() || m_document.isEmpty())
        return true;
    m_editors->showFirstFault();
    tell(tr("It was not saved: what is said above has to be mended first."), true);
    return false;
}

TopologyPanel::Standing TopologyPanel::askWhatStands(const FileOnDisk& file)
{
    FileConflictDialog question(m_document, file, window());
    question.exec();
    switch (question.choice()) {
    case FileConflictDialog::Choice::Mine: return Standing::Mine;
    case FileConflictDialog::Choice::Theirs: return Standing::Theirs;
    case FileConflictDialog::Choice::Neither: break;
    }
    return Standing::Neither;
}

std::vector<Diagnostic> TopologyPanel::translated(std::vector<Diagnostic> all) const
{
    return rulewords::translated(std::move(all));
}

} // namespace tasuki
