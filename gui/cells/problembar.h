// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "domain/diagnostic.h"
#include "views/theme.h"

#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;

namespace tasuki {

/// Tells what is wrong with a file until it is closed; hidden while there is nothing to tell.
class ProblemBar : public QWidget {
    Q_OBJECT

public:
    explicit ProblemBar(QWidget* parent = nullptr);

    /// Gives it a button, which hides it and tells of itself by actionWanted(); empty: takes it away.
    void setAction(const QString& text);
    void show(theme::Tint tint, const QString& headline, const QString& details);
    void show(theme::Tint tint, const QString& headline,
              const std::vector<Diagnostic>& diagnostics);
    /// The same with lines that can be chosen, see placeWanted().
    void showPlaces(theme::Tint tint, const QString& headline, const QStringList& lines);
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString details() const;
    [[nodiscard]] QPushButton& action() { return *m_action; }

Q_SIGNALS:
    void actionWanted();
    /// Somebody wants to see what a line tells of.
    /// @param line  among those of showPlaces()
    void placeWanted(int line);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setDetails(const QString& text, Qt::TextFormat format, int lines);

    QLabel* m_icon;
    QLabel* m_headline;
    QLabel* m_details;
    QScrollArea* m_scroll;
    QPushButton* m_action;
};

/// @return a diagnostic in a line: the file's name, the place in it, what is wrong and what to do
QString problemLine(const Diagnostic& told);

} // namespace tasuki
