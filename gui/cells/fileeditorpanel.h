// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editorpanel.h"
#include "filedocument.h"
#include "filewatch.h"

namespace tasuki {

class FileChangeBar;

/// A panel that edits a document with a file: opens and saves it, asks before edits are lost, and
/// notices when somebody else writes the file. What the first page of the document shows are rows,
/// which are added, duplicated and removed.
class FileEditorPanel : public EditorPanel {
    Q_OBJECT

public:
    /// What the panel says of its kind of document.
    struct Words {
        QString file = {};       ///< what the document's name is, for assistive technology
        QString fresh = {};      ///< name of a document without a file
        QString openTitle = {};  ///< of the dialog
        QString saveTitle = {};  ///< of the dialog
        QString suggestion = {}; ///< name of a file
        QString filter = {};     ///< of the dialogs
        QString kind = {};       ///< as a title
        QString saved = {};      ///< the document is in %1
        QString reading = {};    ///< while a file is being read
        QString beginning = {};  ///< while there is nothing
        QString add = {};        ///< names of the actions
        QString duplicate = {};
        QString remove = {};
        QString tooMany = {}; ///< why there is no room for more
    };

    [[nodiscard]] QAction& saveAction() const { return *m_save; }
    [[nodiscard]] QAction& saveAsAction() const { return *m_saveAs; }
    [[nodiscard]] QAction& addAction() const { return *m_add; }
    using QWidget::addAction;
    [[nodiscard]] FileChangeBar& fileChange() const { return *m_change; }
    /// The file's name with a star where edits are not saved, for a tab or a title.
    [[nodiscard]] QString title() const;

    /// Opens a file, without waiting; asks first what becomes of edits that are not saved. What is
    /// wrong with the file is told by the panel.
    void open(const QString& path);
    /// Saves under the document's path; asks for one where there is none.
    /// @return whether everything is saved
    bool save();
    /// @return whether everything is saved; what is wrong is told by the panel. When somebody else
    ///         has written the document's file, the user is asked what shall stand.
    bool saveTo(const QString& path);
    /// Before the document goes: asks what becomes of edits that are not saved.
    /// @return false: the user wants to stay
    bool mayDiscard();
    /// Looks at once whether somebody else has written the file.
    void lookAtFile();

protected:
    /// @param file  must outlive the widget
    FileEditorPanel(FileDocument& file, Words words, QWidget* parent);

    /// What a panel has beside what all have.
    struct More {
        QList<QAction*> rows = {};  ///< what can be done with rows
        QList<QAction*> steps = {}; ///< beside undo and redo
        QList<QWidget*> bars = {};
    };
    /// Fills the panel and follows the document; once.
    /// @param editors  have the pages
    void begin(QWidget* editors, EditorPages& pages, const More& more);
    void renew() override;
    /// The same for what else there is; last of all.
    virtual void renewMore() = 0;

    /// @return whether one more row can be added
    [[nodiscard]] virtual bool hasRoom() const = 0;
    /// @return the new row; none: there is no room
    virtual std::optional<std::size_t> addRow() = 0;
    /// @return whether there was room for the copies
    virtual bool duplicateRows(const QList<int>& rows) = 0;
    /// @return what was done, for people
    virtual QString removeRows(const QList<int>& rows) = 0;

    /// @return whether the document can be saved; what is in the way is shown
    virtual bool maySave() { return true; }
    /// What is to be known of a file that was opened and has nothing wrong in it.
    virtual void noteOpened() {}
    /// Asks what shall stand when somebody else has written the file.
    virtual Standing askWhatStands(const FileOnDisk& file);

private:
    void makeActions();
    void link();
    [[nodiscard]] QString fileName() const;
    /// What open() has come to.
    void tellOpened(const QString& path, bool taken, const std::vector<Diagnostic>& diagnostics);
    /// The document has another file, or another content of it.
    void followFile();
    void add();
    void duplicate();
    void remove();
    void askForFile();
    bool saveAs();
    /// @return whether the file may be replaced; what the user chose instead is done
    bool mayReplaceFile();
    void takeTheirs(const FileOnDisk& file);
    void keepMine();

    FileDocument& m_file;
    Words m_words;
    FileChangeBar* m_change;
    FileWatch m_watch{this};
    QAction* m_open = nullptr;
    QAction* m_save = nullptr;
    QAction* m_saveAs = nullptr;
    QAction* m_add = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_remove = nullptr;
    QWidget* m_editors = nullptr;
};

} // namespace tasuki
