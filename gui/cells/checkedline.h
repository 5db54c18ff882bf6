// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <functional>

namespace tasuki {

/// A line that knows while one types what is wrong with its text: a red frame, and the reason as
/// tool tip and for assistive technology. Who owns it shows the reason as text too.
class CheckedLine : public QLineEdit {
    Q_OBJECT

public:
    /// @return what is wrong with a text, for people; empty: nothing
    using Check = std::function<QString(const QString&)>;

    explicit CheckedLine(Check check, QWidget* parent = nullptr);

    /// What is wrong with the text as it is; empty: nothing.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// What the line's value means: its tool tip, as long as nothing is wrong.
    void setExplanation(const QString& explanation);

Q_SIGNALS:
    void problemChanged(const QString& problem);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void look();
    void renewToolTip();

    Check m_check;
    QString m_explanation;
    QString m_problem;
};

} // namespace tasuki
