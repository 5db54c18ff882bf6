// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/celltablemodel.h"
#include "environmentdocument.h"

namespace tasuki {

/// A table of cells of an environment: begins anew when nodes come or go.
class EnvironmentTableModel : public CellTableModel {
    Q_OBJECT

public:
    /// @param document  must outlive the model
    EnvironmentTableModel(EnvironmentDocument& document, QObject* parent);

protected:
    [[nodiscard]] EnvironmentDocument& document() const { return m_document; }

private:
    EnvironmentDocument& m_document;
};

} // namespace tasuki
