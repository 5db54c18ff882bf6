// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "topologydocument.h"

class QLabel;
class QPushButton;

namespace tasuki {

class DiffView;

/// Asks what shall stand when somebody else has written the file of a topology since it was read.
class FileConflictDialog : public QDialog {
    Q_OBJECT

public:
    using Choice = Standing;

    /// @param file  as it is now: State::Changed
    FileConflictDialog(const TopologyDocument& document, const FileOnDisk& file,
                       QWidget* parent = nullptr);

    /// What was chosen; Neither, as long as nothing was.
    [[nodiscard]] Choice choice() const { return m_choice; }
    [[nodiscard]] QPushButton& mine() const { return *m_mine; }
    [[nodiscard]] QPushButton& theirs() const { return *m_theirs; }
    [[nodiscard]] QPushButton& differences() const { return *m_differences; }
    [[nodiscard]] DiffView& diff() const { return *m_diff; }
    /// What it says of their text.
    [[nodiscard]] QString note() const;

private:
    void choose(Choice choice);
    void showDifferences(bool shown);

    Choice m_choice = Choice::Neither;
    QLabel* m_note = nullptr;
    QPushButton* m_mine = nullptr;
    QPushButton* m_theirs = nullptr;
    QPushButton* m_differences = nullptr;
    DiffView* m_diff = nullptr;
};

} // namespace tasuki
