// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmenttablemodel.h"

namespace tasuki {

EnvironmentTableModel::EnvironmentTableModel(EnvironmentDocument& document, QObject* parent)
    : CellTableModel(parent), m_document(document)
{
    connect(&document, &EnvironmentDocument::aboutToReset, this, [this] { beginResetModel(); });
    connect(&document, &EnvironmentDocument::reset, this, [this] { endResetModel(); });
}

} // namespace tasuki
