// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

class QLineEdit;

namespace tasuki {

/// A question of ssh, which starts this program with it (see SshProcess): a password, a passphrase, or whether a host is the
/// right one.
class AskPassDialog : public QDialog {
    Q_OBJECT

public:
    explicit AskPassDialog(const QString& question, QWidget* parent = nullptr);

    /// What ssh is to be told. Valid when accepted.
    [[nodiscard]] QString answer() const;
    [[nodiscard]] QLineEdit* line() { return m_line; } ///< null: yes or no is asked

private:
    QLineEdit* m_line = nullptr;
};

/// Whether ssh has started this program to ask something.
bool isAskedBySsh();
/// Asks, and prints the answer.
/// @return the exit code for ssh
int answerSsh(const QString& question);

} // namespace tasuki
