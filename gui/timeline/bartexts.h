// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laneraster.h"

#include <QCache>
#include <QFont>
#include <QImage>
#include <QPainter>
#include <QStaticText>
#include <QString>

#include <functional>

namespace tasuki {

/// What stands in the bars of the timeline: the task's number, and the start of its command where there
/// is room. Remembers how texts look: they are painted in every step of a zoom.
class BarTexts {
public:
    /// @return how a task is called, for instance the start of its command
    using TaskText = std::function<QString(TaskId)>;

    void setTaskText(TaskText text);
    [[nodiscard]] QString of(TaskId task) const
    {
        return m_taskText ? m_taskText(task) : QString();
    }
    /// @param font  of the widget; texts in low rows are smaller
    void setFont(const QFont& font, int rowHeight);
    void forget() { m_texts.clear(); }

    /// Paints what is in lanes, with the texts, into an image that has their ground.
    void paint(const LaneContents& contents, QImage& image);

private:
    bool paintSpot(QPainter& painter, const LaneContents& contents, const LabelSpot& spot);
    const QStaticText& prepared(TaskId task);

    TaskText m_taskText;
    QFont m_font;
    LaneRaster m_raster;
    QCache<quint32, QStaticText> m_texts{8192};
};

} // namespace tasuki
