// SPDX-License-Identifier: GPL-3.0-or-later
#include "busybar.h"

#include "theme.h"

#include <QPainter>
#include <QStyleOptionViewItem>

#include <algorithm>

namespace tasuki {

void paintBusyBar(QPainter& painter, const QStyleOptionViewItem& option, const QVariant& share)
{
    if (!share.isValid())
        return;
    QRectF bar = QRectF(option.rect).adjusted(4, 0, -4, 0);
    bar.setTop(bar.bottom() - 4);
    bar.setHeight(2);
    painter.fillRect(bar, option.palette.color(QPalette::Mid));
    bar.setWidth(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter.fillRect(bar,
                     selected ? option.palette.color(QPalette::HighlightedText)
                              : theme::state(TaskState::Running, option.palette));
}

} // namespace tasuki
