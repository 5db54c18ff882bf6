// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include "environmentdocument.h"

class QGridLayout;

namespace tasuki {

class ValueLine;

/// The values of an environment that hold for all nodes and links.
class GeneralForm : public QScrollArea {
    Q_OBJECT

public:
    /// @param document  must outlive the widget
    explicit GeneralForm(EnvironmentDocument& document, QWidget* parent = nullptr);

    [[nodiscard]] ValueLine& line(GeneralField field) const;
    /// Takes what is typed. @return false: a line is wrong; it has the focus
    bool finishEditing();

private:
    void addTitle(QGridLayout& grid, const QString& title, const QString& explanation);
    void addLine(QGridLayout& grid, GeneralField field, const QString& label, const QString& unit);

    EnvironmentDocument& m_document;
    std::array<ValueLine*, allGeneralFields.size()> m_lines{};
};

} // namespace tasuki
