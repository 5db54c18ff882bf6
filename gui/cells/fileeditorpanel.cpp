// SPDX-License-Identifier: GPL-3.0-or-later
#include "fileeditorpanel.h"

#include "celltableview.h"
#include "editorpages.h"
#include "filechangebar.h"
#include "problembar.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace tasuki {

FileEditorPanel::FileEditorPanel(FileDocument& file, Words words, QWidget* parent)
    : EditorPanel(file.undoStack(), parent),
      m_file(file),
      m_words(std::move(words)),
      m_change(new FileChangeBar(this))
{
    makeActions();
}

void FileEditorPanel::makeActions()
{
    m_open = makeAction(QStringLiteral("open"), tr("Open..."), {});
    m_save = makeAction(QStringLiteral("save"), tr("Save"), {QKeySequence(tr("Ctrl+S"))});
    m_saveAs = makeAction(QStringLiteral("saveas"), tr("Save as..."),
                          {QKeySequence(tr("Ctrl+Shift+S"))});
    m_add = makeAction(QStringLiteral("addnode"), m_words.add, {QKeySequence(Qt::Key_Insert)});
    m_duplicate = makeAction(QStringLiteral("copy"), m_words.duplicate,
                             {QKeySequence(tr("Ctrl+D"))});
    m_remove = makeAction(QStringLiteral("removenode"), m_words.remove,
                          {QKeySequence(tr("Ctrl+Del"))});
    connect(m_open, &QAction::triggered, this, &FileEditorPanel::askForFile);
    connect(m_save, &QAction::triggered, this, &FileEditorPanel::save);
    connect(m_saveAs, &QAction::triggered, this, &FileEditorPanel::saveAs);
    connect(m_add, &QAction::triggered, this, &FileEditorPanel::add);
    connect(m_duplicate, &QAction::triggered, this, &FileEditorPanel::duplicate);
    connect(m_remove, &QAction::triggered, this, &FileEditorPanel::remove);
}

void FileEditorPanel::begin(QWidget* editors, EditorPages& pages, const More& more)
{
    const QList<QAction*> rows = QList<QAction*>{m_add, m_duplicate, m_remove} + more.rows;
    pages.table().addActions(rows);
    putTogether({.nameTitle = m_words.file,
                 .buttons = {{m_open, m_save, m_saveAs},
                             rows,
                             QList<QAction*>{&undoAction(), &redoAction()} + more.steps},
                 .bars = QList<QWidget*>{m_change} + more.bars,
                 .beginnings = {m_open, m_add},
                 .editors = editors,
                 .pages = &pages});
    m_editors = editors;
    link();
    followFile();
    renew();
}

void FileEditorPanel::link()
{
    const auto renewAll = [this] { renew(); };
    connect(&m_file, &FileDocument::changed, this, [this] {
        tell({}, false);
        renew();
    });
    connect(&m_file, &FileDocument::pathChanged, this, [this] {
        followFile();
        renew();
    });
    connect(&m_file, &FileDocument::cleanChanged, this, renewAll);
    connect(&m_file, &FileDocument::openingChanged, this, renewAll);
    connect(&m_file, &FileDocument::opened, this,
            [this](const QString& path, bool taken, const std::vector<Diagnostic>& diagnostics) {
                if (taken)
                    followFile();
                tellOpened(path, taken, diagnostics);
            });
    connect(&m_file.undoStack(), &QUndoStack::indexChanged, this, renewAll);
    connect(&pages(), &EditorPages::moved, this, renewAll);
    connect(&pages(), &EditorPages::refused, this,
            [this](const QString& reason) { tell(reason, true); });
    connect(&m_watch, &FileWatch::noticed, this, &FileEditorPanel::lookAtFile);
    connect(&m_change->reload(), &QPushButton::clicked, this, [this] {
        if (finishEditing())
            takeTheirs(m_file.lookAtFile());
    });
    connect(&m_change->mine(), &QPushButton::clicked, this, &FileEditorPanel::keepMine);
}

QString FileEditorPanel::fileName() const
{
    return m_file.path().isEmpty() ? m_words.fresh : QFileInfo(m_file.path()).fileName();
}

QString FileEditorPanel::title() const
{
    return m_file.isClean() ? fileName() : fileName() + QStringLiteral(" *");
}

void FileEditorPanel::renew()
{
    const bool empty = m_file.isEmpty();
    const bool opening = m_file.isOpening();
    showEditors(!empty, opening ? m_words.reading : m_words.beginning);
    setName(fileName(), m_file.path());
    setMark(m_file.isClean() ? QString() : tr("not saved"));
    m_save->setEnabled(!empty && (!m_file.isClean() || m_file.path().isEmpty()));
    m_saveAs->setEnabled(!empty);
    m_add->setEnabled(hasRoom() && !opening);
    m_editors->setEnabled(!opening); // what is edited now would be gone in a moment
    renewSteps();
    m_remove->setEnabled(pages().hasChosenRow());
    m_duplicate->setEnabled(pages().hasChosenRow() && hasRoom());
    renewMore();
}

void FileEditorPanel::add()
{
    if (!finishEditing())
        return;
    pages().setCurrentIndex(0);
    if (const auto row = addRow())
        pages().editRow(static_cast<int>(*row));
}

void FileEditorPanel::duplicate()
{
    if (!finishEditing())
        return;
    if (duplicateRows(pages().chosenRows()))
        pages().table().setFocus();
    else
        tell(m_words.tooMany, true);
}

void FileEditorPanel::remove()
{
    if (!finishEditing())
        return;
    tell(removeRows(pages().chosenRows()), false);
    pages().table().setFocus();
}

void FileEditorPanel::followFile()
{
    m_watch.watch(m_file.path());
    m_change->hide();
}

void FileEditorPanel::lookAtFile()
{
    if (m_file.isOpening())
        return; // that is what it looks at
    m_change->show(m_file.lookAtFile(), fileName());
}

void FileEditorPanel::keepMine()
{
    m_file.overruleFile(m_file.lookAtFile());
    m_change->hide();
    renew();
}

void FileEditorPanel::takeTheirs(const FileOnDisk& file)
{
    if (file.state != FileOnDisk::State::Changed) {
        lookAtFile(); // it is as it was, or gone, by now
        return;
    }
    const std::vector<Diagnostic> told = m_file.takeFile(file);
    if (std::ranges::any_of(told, &Diagnostic::isError)) {
        tellOpened(m_file.path(), false, told);
        return;
    }
    m_change->hide();
    problems().hide();
    Q_EMIT said(tr("What stands in the file was taken; Undo brings your edits back."));
}

void FileEditorPanel::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(
        window(), m_words.openTitle, QFileInfo(m_file.path()).path(),
        m_words.filter + QStringLiteral(";;") + tr("All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void FileEditorPanel::open(const QString& path)
{
    if (mayDiscard())
        m_file.open(path);
}

void FileEditorPanel::tellOpened(const QString& path, bool taken,
                                 const std::vector<Diagnostic>& diagnostics)
{
    const QString name = QFileInfo(path).fileName();
    const auto count = static_cast<int>(diagnostics.size());
    if (!taken) {
        problems().show(theme::Tint::Failure,
                        tr("%1 cannot be used: %n thing(s) wrong in it", nullptr, count).arg(name),
                        diagnostics);
    } else if (!diagnostics.empty()) {
        problems().show(theme::Tint::Warning,
                        tr("%1 is open; %n thing(s) to note", nullptr, count).arg(name),
                        diagnostics);
    } else {
        problems().hide();
        noteOpened();
    }
    renew();
}

bool FileEditorPanel::save() { return m_file.path().isEmpty() ? saveAs() : saveTo(m_file.path()); }

bool FileEditorPanel::saveAs()
{
    if (!finishEditing())
        return false;
    const QString before = m_file.path();
    QString path = QFileDialog::getSaveFileName(window(), m_words.saveTitle,
                                                before.isEmpty() ? m_words.suggestion : before,
                                                m_words.filter);
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".toml");
    return saveTo(path);
}

Standing FileEditorPanel::askWhatStands(const FileOnDisk&)
{
    QMessageBox question(
        QMessageBox::Warning, m_words.kind,
        tr("%1 was written by somebody else after it was read here. What shall stand?")
            .arg(fileName()),
        QMessageBox::NoButton, window());
    const auto* mine = question.addButton(tr("Keep &mine"), QMessageBox::AcceptRole);
    const auto* theirs = question.addButton(tr("&Take theirs"), QMessageBox::AcceptRole);
    question.setDefaultButton(question.addButton(QMessageBox::Cancel));
    question.exec();
    if (question.clickedButton() == mine)
        return Standing::Mine;
    return question.clickedButton() == theirs ? Standing::Theirs : Standing::Neither;
}

bool FileEditorPanel::mayReplaceFile()
{
    const FileOnDisk file = m_file.lookAtFile();
    switch (file.state) {
    case FileOnDisk::State::AsKnown: return true;
    case FileOnDisk::State::Changed: {
        const Standing standing = askWhatStands(file);
        if (standing == Standing::Theirs)
            takeTheirs(file);
        return standing == Standing::Mine;
    }
    case FileOnDisk::State::Gone:
        return QMessageBox::question(window(), m_words.kind,
                                     tr("%1 is no longer there. Save it again?").arg(fileName()),
                                     QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Save)
            == QMessageBox::Save;
    case FileOnDisk::State::Unreadable:
        problems().show(theme::Tint::Failure,
                        tr("%1 cannot be read any more, and was not replaced").arg(fileName()),
                        file.problem);
        return false;
    }
    return false;
}

bool FileEditorPanel::saveTo(const QString& path)
{
    if (!finishEditing()) {
        tell(tr("It was not saved: what is being typed is wrong."), true);
        return false;
    }
    if (!maySave())
        return false;
    const bool sameFile = !m_file.path().isEmpty()
        && QFileInfo(path).absoluteFilePath() == QFileInfo(m_file.path()).absoluteFilePath();
    if (sameFile && !mayReplaceFile())
        return m_file.isClean(); // theirs was taken, or the user wants to stay
    const Result<void> saved = m_file.save(path);
    if (!saved) {
        problems().show(theme::Tint::Failure,
                        tr("%1 cannot be saved").arg(QFileInfo(path).fileName()),
                        QString::fromStdString(saved.error().text()));
        return false;
    }
    problems().hide();
    tell({}, false);
    Q_EMIT said(m_words.saved.arg(path));
    followFile();
    renew();
    return true;
}

bool FileEditorPanel::mayDiscard()
{
    if (!finishEditing())
        return false;
    if (m_file.isClean())
        return true;
    QMessageBox question(QMessageBox::Question, m_words.kind,
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
