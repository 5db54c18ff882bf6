// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tasuki {

/// Paints rows of the failure hierarchy: the icon of the condition beside names, badges beside seats,
/// how busy a rank is as a bar. The model has the roles of SystemTreeModel.
class SystemDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// Where the model has what; -1: nowhere.
    struct Columns {
        int name = -1;
        int seat = -1;
        int busy = -1;
    };

    SystemDelegate(Columns columns, QObject* parent)
        : QStyledItemDelegate(parent), m_columns(columns)
    {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    Columns m_columns;
};

} // namespace tasuki
