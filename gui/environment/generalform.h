// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/valueform.h"
#include "environmentdocument.h"

namespace tasuki {

/// The values of an environment that hold for all nodes and links.
class GeneralForm : public ValueForm {
    Q_OBJECT

public:
    /// @param document  must outlive the widget
    explicit GeneralForm(EnvironmentDocument& document, QWidget* parent = nullptr);

    [[nodiscard]] ValueLine& line(GeneralField field) const;

private:
    void addField(QGridLayout& grid, GeneralField field, const QString& label, const QString& unit);

    EnvironmentDocument& m_document;
    std::array<ValueLine*, allGeneralFields.size()> m_lines{};
};

} // namespace tasuki
