// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartitems.h"

namespace tasuki {

namespace {

// Qt Charts puts the ground at -1, the plot's ground at 0, then grid, axes, series from 1 on.
constexpr double behindBars = 0.5;
constexpr double aboveAll = 1000.0;

} // namespace

PictureItem::PictureItem(const ChartPicture& picture, Part part, QGraphicsItem* parent)
    : QGraphicsItem(parent), m_picture(picture), m_part(part)
{
    setZValue(part == Part::Behind ? behindBars : aboveAll);
    setAcceptedMouseButtons(Qt::NoButton);
}

void PictureItem::renew()
{
    if (m_area != m_picture.area()) {
        prepareGeometryChange();
        m_area = m_picture.area();
    }
    update();
}

void PictureItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/,
                        QWidget* /*widget*/)
{
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_part == Part::Behind)
        m_picture.paintBehind(*painter);
    else
        m_picture.paintAbove(*painter);
}

} // namespace tasuki
