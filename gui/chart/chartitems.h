// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

#include "chartpicture.h"

namespace tasuki {

/// Puts a part of a picture into the scene of a chart.
class PictureItem : public QGraphicsItem {
public:
    enum class Part : std::uint8_t { Behind, Above };

    /// @param picture  must outlive the item
    PictureItem(const ChartPicture& picture, Part part, QGraphicsItem* parent);

    /// Paints again, after the picture was arranged.
    void renew();

    [[nodiscard]] QRectF boundingRect() const override { return m_area; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    const ChartPicture& m_picture;
    Part m_part;
    QRectF m_area;
};

} // namespace tasuki
