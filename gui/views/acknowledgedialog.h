// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "domain/clock.h"

#include <optional>

class QComboBox;
class QDateTimeEdit;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace tasuki {

/// Asks with which words, and for how long, alarms are acknowledged.
class AcknowledgeDialog : public QDialog {
    Q_OBJECT

public:
    /// @param alarms  what is acknowledged, a line each
    /// @param who     is recorded as the one who did it
    /// @param note    something to know beforehand; may be empty
    /// @param now     by the clock of the run
    AcknowledgeDialog(const QStringList& alarms, const QString& who, const QString& note,
                      WallTime now, QWidget* parent = nullptr);

    [[nodiscard]] QString comment() const;
    /// @param now  by the clock of the run
    /// @return when the alarms count as not acknowledged again; none: never
    [[nodiscard]] std::optional<WallTime> until(WallTime now) const;

    [[nodiscard]] QLineEdit& commentLine() { return *m_comment; }
    [[nodiscard]] QComboBox& expiry() { return *m_expiry; }
    [[nodiscard]] QDateTimeEdit& time() { return *m_time; }
    [[nodiscard]] QDialogButtonBox& buttons() { return *m_buttons; }

private:
    void renew();

    WallTime m_now;
    QLineEdit* m_comment = nullptr;
    QComboBox* m_expiry = nullptr;
    QDateTimeEdit* m_time = nullptr;
    QLabel* m_problem = nullptr;
    QDialogButtonBox* m_buttons = nullptr;
};

} // namespace tasuki
