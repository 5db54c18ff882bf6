// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/taskdetails.h"

#include <array>

class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QToolButton;

namespace tasuki {

/// What an attempt wrote to its two streams; follows the end while the attempt runs.
class OutputView : public QWidget {
    Q_OBJECT

public:
    /// @param details  must outlive the widget
    explicit OutputView(TaskDetails& details, QWidget* parent = nullptr);

    /// Whether there is something that can be saved.
    [[nodiscard]] bool hasText() const;
    /// Asks for a file and writes the shown stream to it.
    void save();

private:
    [[nodiscard]] StreamKind shownStream() const;
    [[nodiscard]] QPlainTextEdit& edit(StreamKind stream) const
    {
        return *m_edits[static_cast<std::size_t>(stream)];
    }
    QWidget* makeTools();
    void refill();
    void append(StreamKind stream, const QString& text);
    void showTitles();
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString sizesText() const;
    void openFile();
    void goToEnd(QPlainTextEdit& view) const;

    TaskDetails& m_details;
    QTabWidget* m_tabs = nullptr;
    std::array<QPlainTextEdit*, 2> m_edits{};
    QToolButton* m_follow = nullptr;
    QToolButton* m_copy = nullptr;
    QToolButton* m_save = nullptr;
    QLabel* m_state = nullptr;
    QToolButton* m_open = nullptr; ///< the file with all of the output
};

} // namespace tasuki
