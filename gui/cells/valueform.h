// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include "valueline.h"

#include <vector>

class QGridLayout;

namespace tasuki {

/// A form of values, under titles in one or more columns.
class ValueForm : public QScrollArea {
    Q_OBJECT

public:
    /// Takes what is typed. @return false: a line is wrong; it has the focus
    bool finishEditing();

protected:
    /// How a line is called, and what it means.
    struct Words {
        QString label = {};
        QString name = {};
        QString explanation = {}; ///< empty: its name says it
    };

    explicit ValueForm(QWidget* parent);

    static void space(QGridLayout& grid);
    /// @param above  pixels between the title and what is there before
    void addTitle(QGridLayout& grid, const QString& title, const QString& explanation,
                  int above = 0);
    /// Adds a row with a label and a line; its parent comes with the layout.
    /// @param characters  how wide it is
    ValueLine* addLine(QGridLayout& grid, const Words& words, int characters,
                       CheckedLine::Check check, std::function<QString()> value,
                       std::function<void(const QString&)> take);
    /// Shows the values, unless others are being typed.
    void renewLines();

private:
    std::vector<ValueLine*> m_lines;
};

} // namespace tasuki
