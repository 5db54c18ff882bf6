// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tasuki {

/// Hosts that a configuration of ssh names, without patterns, in its order.
/// @param file  path; need not exist
QStringList sshHosts(const QString& file);

/// Asks for a run on another host.
class OpenRemoteDialog : public QDialog {
    Q_OBJECT

public:
    /// @param hosts  that are offered
    explicit OpenRemoteDialog(const QStringList& hosts, QWidget* parent = nullptr);

    /// What was chosen, as ssh://HOST/PATH. Valid when accepted.
    [[nodiscard]] QString address() const;

    [[nodiscard]] QComboBox& host() { return *m_host; }
    [[nodiscard]] QLineEdit& path() { return *m_path; }
    [[nodiscard]] QPushButton& openButton() { return *m_open; }
    [[nodiscard]] QString problem() const;

private:
    void takeWhole(const QString& text);
    void renew();

    QComboBox* m_host = nullptr;
    QLineEdit* m_path = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_open = nullptr;
};

} // namespace tasuki
