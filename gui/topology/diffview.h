// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string_view>

class QLabel;
class QPlainTextEdit;

namespace tasuki {

/// What becomes of the lines of a file: each with a sign before it, and on the colour of what comes
/// or goes. Long runs of lines that stay are left out.
class DiffView : public QWidget {
    Q_OBJECT

public:
    explicit DiffView(QWidget* parent = nullptr);

    void compare(std::string_view before, std::string_view after);
    /// What stands above the lines.
    void setHeadline(const QString& text);
    [[nodiscard]] QString headline() const;
    [[nodiscard]] int added() const { return m_added; }
    [[nodiscard]] int removed() const { return m_removed; }
    [[nodiscard]] bool isSame() const { return m_added == 0 && m_removed == 0; }
    [[nodiscard]] QPlainTextEdit& lines() const { return *m_lines; }

private:
    QLabel* m_headline;
    QPlainTextEdit* m_lines;
    int m_added = 0;
    int m_removed = 0;
};

} // namespace tasuki
