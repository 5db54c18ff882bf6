// SPDX-License-Identifier: GPL-3.0-or-later
#include "fileconflictdialog.h"

#include "cells/problembar.h"
#include "config/topologyreader.h"
#include "diffview.h"
#include "views/icons.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int narrowest = 740;
constexpr int diffHeight = 260;

} // namespace

FileConflictDialog::FileConflictDialog(const TopologyDocument& document, const FileOnDisk& file,
                                       QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("The file has changed"));
    const QFileInfo info(document.path());
    auto* icon = new QLabel;
    const int size = 2 * fontMetrics().height();
    icon->setPixmap(icons::severity(Severity::Warning).pixmap(size, size));
    auto* explanation = new QLabel(
        tr("%1 was written by somebody else at %2, after it was read here. Nothing is overwritten "
           "without you: decide what shall stand.")
            .arg(info.fileName(),
                 QLocale().toString(info.lastModified().time(), QLocale::ShortFormat)));
    explanation->setTextFormat(Qt::PlainText);
    explanation->setWordWrap(true);
    m_note = new QLabel;
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_diff = new DiffView;
    m_diff->compare(file.text, document.textToSave());
    m_diff->setHeadline(tr("\u2212 what stands in the file now, + what would be saved from here"));
    m_diff->setMinimumHeight(diffHeight);

    auto* buttons = new QDialogButtonBox;
    m_mine = buttons->addButton(tr("Keep &mine"), QDialogButtonBox::AcceptRole);
    m_mine->setToolTip(tr("Save what is here; what somebody else has written is gone"));
    m_theirs = buttons->addButton(tr("&Take theirs"), QDialogButtonBox::AcceptRole);
    m_theirs->setToolTip(tr("Show what stands in the file; Undo brings your edits back"));
    m_differences = buttons->addButton(tr("Show &differences"), QDialogButtonBox::ActionRole);
    m_differences->setCheckable(true);
    auto* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setDefault(true);

    const config::TopologyReading theirs = config::readTopologyText(file.text,
                                                                    info.fileName().toStdString());
    if (!theirs.topology) {
        m_theirs->setEnabled(false);
        const auto wrong = std::ranges::find_if(theirs.diagnostics, &Diagnostic::isError);
        m_note->setText(tr("Theirs cannot be taken: %1").arg(problemLine(*wrong)));
    } else {
        m_note->setText(tr("When you take theirs, Undo brings your edits back."));
    }

    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(icon, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->addWidget(explanation);
    words->addWidget(m_note);
    row->addLayout(words, 1);
    auto* box = new QVBoxLayout(this);
    box->setSpacing(10);
    box->addLayout(row);
    box->addWidget(m_diff, 1);
    box->addWidget(buttons);
    setMinimumWidth(narrowest);
    showDifferences(false);
    cancel->setFocus(); // Return overwrites nothing

    connect(m_mine, &QPushButton::clicked, this, [this] { choose(Choice::Mine); });
    connect(m_theirs, &QPushButton::clicked, this, [this] { choose(Choice::Theirs); });
    connect(m_differences, &QPushButton::toggled, this, &FileConflictDialog::showDifferences);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString FileConflictDialog::note() const { return m_note->text(); }

void FileConflictDialog::choose(Choice choice)
{
    m_choice = choice;
    accept();
}

void FileConflictDialog::showDifferences(bool shown)
{
    m_diff->setVisible(shown);
    m_differences->setText(shown ? tr("Hide &differences") : tr("Show &differences"));
    if (!shown)
        adjustSize();
}

} // namespace tasuki
