// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editorpanel.h"
#include "fileondisk.h"
#include "filewatch.h"

namespace tasuki {

class FileChangeBar;

/// A panel that edits a document with a file: opens and saves it, asks before edits are lost, and
/// notices when somebody else writes the file.
class FileEditorPanel : public EditorPanel {
    Q_OBJECT

public:
    /// What the panel says of its kind of document.
    struct Words {
        QString fresh = {};      ///< name of a document without a file
        QString openTitle = {};  ///< of the dialog
        QString saveTitle = {};  ///< of the dialog
        QString suggestion = {}; ///< name of a file
        QString filter = {};     ///< of the dialogs
        QString kind = {};       ///< as a title
        QString saved = {};      ///< the document is in %1
    };

    [[nodiscard]] QAction& openAction() const { return *m_open; }
    [[nodiscard]] QAction& saveAction() const { return *m_save; }
    [[nodiscard]] QAction& saveAsAction() const { return *m_saveAs; }
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
    FileEditorPanel(EditedFile& file, Words words, QWidget* parent);

    [[nodiscard]] QString fileName() const;
    /// Names the document, and enables what can be done with its file.
    void renewFile();
    /// What open() has come to.
    /// @param diagnostics  in the user's language
    void tellOpened(const QString& path, bool taken, const std::vector<Diagnostic>& diagnostics);
    /// The document has another file, or another content of it.
    void followFile();

    /// Shows the document as it is now.
    virtual void renew() = 0;
    /// @return whether the document can be saved; what is in the way is shown
    virtual bool maySave() { return true; }
    /// What is to be known of a file that was opened and has nothing wrong in it.
    virtual void noteOpened() {}
    enum class Standing : std::uint8_t { Neither, Mine, Theirs };
    /// Asks what shall stand when somebody else has written the file.
    virtual Standing askWhatStands(const FileOnDisk& file);
    /// @return the same in the user's language
    [[nodiscard]] virtual std::vector<Diagnostic> translated(std::vector<Diagnostic> all) const
    {
        return all;
    }

private:
    void askForFile();
    bool saveAs();
    /// @return whether the file may be replaced; what the user chose instead is done
    bool mayReplaceFile();
    void takeTheirs(const FileOnDisk& file);
    void keepMine();

    EditedFile& m_file;
    Words m_words;
    FileChangeBar* m_change;
    FileWatch m_watch;
    QAction* m_open = nullptr;
    QAction* m_save = nullptr;
    QAction* m_saveAs = nullptr;
};

} // namespace tasuki
