// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "domain/diagnostic.h"

namespace tasuki {

/// An editor of task lists: line numbers, and marks where something is wrong.
class ListEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit ListEditor(QWidget* parent = nullptr);

    /// Marks the places of diagnostics; those before are forgotten.
    void setDiagnostics(const std::vector<Diagnostic>& diagnostics);
    /// Puts the cursor there and takes the focus.
    /// @param line, column  from 1; column in bytes of UTF-8, 0: not known
    void jumpTo(std::uint64_t line, std::uint64_t column);

    [[nodiscard]] int gutterWidth() const;
    void paintGutter(QPaintEvent& event);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// @return the place in the document of a place in the list
    [[nodiscard]] int positionOf(std::uint64_t line, std::uint64_t column) const;

    QWidget* m_gutter;
    QList<int> m_wrongLines; ///< from 0, ascending
};

} // namespace tasuki
