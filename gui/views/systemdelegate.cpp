// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemdelegate.h"

#include "busybar.h"
#include "icons.h"
#include "models/systemtreemodel.h"
#include "theme.h"

#include <QPainter>

#include <algorithm>

namespace tasuki {

namespace {

constexpr double badgeSize = 0.88; ///< of the letters beside them
constexpr int badgeGap = 4;
constexpr int badgePadding = 5;
constexpr int systemRowPadding = 8;

void paintBadge(QPainter& painter, const QStyleOptionViewItem& option, const SystemBadge& badge,
                const QRect& rect)
{
    const QPalette& palette = option.palette;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool master = badge.kind == SystemBadge::Kind::Master;
    QColor ground = palette.color(QPalette::Button);
    if (badge.kind == SystemBadge::Kind::Drained)
        ground = theme::tint(theme::Tint::Warning, palette);
    else if (master)
        ground = theme::tint(theme::Tint::Information, palette);
    else if (badge.kind == SystemBadge::Kind::Holder)
        ground = theme::tint(theme::Tint::Conflict, palette);
    const QColor ink = palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    painter.setPen(selected ? ink : palette.color(master ? QPalette::Link : QPalette::Mid));
    painter.setBrush(selected ? Qt::NoBrush : QBrush(ground));
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(ink);
    painter.drawText(rect, Qt::AlignCenter, badge.text);
}

void paintBadges(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const auto badges = index.data(SystemTreeModel::BadgesRole).value<QList<SystemBadge>>();
    if (badges.isEmpty())
        return;
    QFont font = option.font;
    font.setPointSizeF(font.pointSizeF() * badgeSize);
    const QFontMetrics metrics(font);
    const QString text = index.data().toString();
    int left = option.rect.left() + badgeGap;
    if (!text.isEmpty())
        left += option.fontMetrics.horizontalAdvance(text) + badgeGap;
    const int height = metrics.height() + 2;
    painter.save();
    painter.setFont(font);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const SystemBadge& badge : badges) {
        const int width = metrics.horizontalAdvance(badge.text) + 2 * badgePadding;
        // Half a word misleads; the tip tells all.
        if (left + width > option.rect.right())
            break;
        const QRect rect(left, option.rect.center().y() - height / 2 + 1, width, height);
        paintBadge(painter, option, badge, rect);
        left += width + badgeGap;
    }
    painter.restore();
}

/// Pixels that a seat and its badges take.
int seatWidth(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    QFont font = option.font;
    font.setPointSizeF(font.pointSizeF() * badgeSize);
    const QFontMetrics metrics(font);
    const QString text = index.data().toString();
    int width = 2 * badgeGap;
    if (!text.isEmpty())
        width += option.fontMetrics.horizontalAdvance(text) + badgeGap;
    for (const SystemBadge& badge :
         index.data(SystemTreeModel::BadgesRole).value<QList<SystemBadge>>())
        width += metrics.horizontalAdvance(badge.text) + 2 * badgePadding + badgeGap;
    return width;
}

} // namespace

void SystemDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    if (index.column() == m_columns.busy)
        paintBusyBar(*painter, option, index.data(SystemTreeModel::BusyShareRole));
    else if (index.column() == m_columns.seat)
        paintBadges(*painter, option, index);
}

QSize SystemDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index)
                     .expandedTo({0, option.fontMetrics.height() + systemRowPadding});
    if (index.column() == m_columns.seat)
        size.setWidth(std::max(size.width(), seatWidth(option, index)));
    return size;
}

void SystemDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto level = static_cast<SystemTreeModel::Level>(
        index.data(SystemTreeModel::LevelRole).toInt());
    if (index.column() != m_columns.name)
        return;
    if (level == SystemTreeModel::Level::System)
        option->text = option->text.section(QLatin1Char('/'), -1);
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = icons::condition(
        static_cast<Condition>(index.data(SystemTreeModel::ConditionRole).toInt()));
    const int size = option->fontMetrics.height();
    option->decorationSize = QSize(size, size);
}

} // namespace tasuki
