// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracemaker.h"
#include "tracetimeline/tracebricks.h"
#include "tracetimeline/tracescene.h"

#include <QImage>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace tasuki {

inline constexpr QSize sceneSize(1000, 300);

/// A scene on a timeline, and what it looks like.
struct Painted {
    TraceScene scene;
    QImage image;
    double ratio;

    explicit Painted(std::shared_ptr<const TraceStore> store, double deviceRatio = 1)
        : ratio(deviceRatio)
    {
        QPalette light;
        light.setColor(QPalette::Base, Qt::white);
        light.setColor(QPalette::Window, QColor(0xf3, 0xf4, 0xf6));
        light.setColor(QPalette::WindowText, Qt::black);
        scene.setStyle(light, QFont());
        scene.setMessagesVisible(false);
        scene.setStore(std::move(store));
        scene.setGeometry(sceneSize);
        paint();
    }
    void paint()
    {
        image = QImage(sceneSize * ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        scene.setRatio(ratio);
        QPainter painter(&image);
        scene.paint(painter);
    }
    /// Shows a stretch of time, in microseconds.
    void show(double begin, double end)
    {
        TimelineView& view = scene.view();
        view.showAll();
        view.zoom((end - begin) * 1e3 / static_cast<double>(view.window().span), 0);
        view.pan(view.xOf(toNanoseconds(begin)));
        paint();
    }
    [[nodiscard]] double x(double us) const
    {
        return scene.rowsRect().left() + scene.view().xOf(toNanoseconds(us));
    }
    /// @param part  of the bar's height, from the top
    [[nodiscard]] double y(std::uint32_t task, double part = 0.5) const
    {
        const TraceRowLines lines = TraceRowLines::of(scene.layout(), task, 1);
        return scene.rowsRect().top() + lines.barTop + part * (lines.barEnd - lines.barTop);
    }
    [[nodiscard]] QRgb at(double x, double y) const
    {
        return image.pixel(static_cast<int>(x * ratio), static_cast<int>(y * ratio));
    }
    [[nodiscard]] QRgb at(double us, std::uint32_t task, double part) const
    {
        return at(x(us), y(task, part));
    }
    [[nodiscard]] QRgb fill(CallFamily family, bool waiting = false) const
    {
        return scene.palette().fill[TraceCategories::ofFamily(family, waiting)];
    }
    [[nodiscard]] QRgb stripe(CallFamily family) const
    {
        return scene.palette().stripe[TraceCategories::ofFamily(family, true)];
    }
    [[nodiscard]] QRgb computation() const
    {
        return scene.palette().fill[TraceCategories::compute];
    }
    /// @return how many pixels of a colour are in a rectangle of logical pixels
    [[nodiscard]] int count(QRgb colour, const QRectF& rect) const
    {
        int found = 0;
        const QRect pixels(rect.topLeft().toPoint(),
                           QSize(std::max(1, static_cast<int>(rect.width())),
                                 std::max(1, static_cast<int>(rect.height()))));
        const QRect inside = pixels.intersected(image.rect());
        for (int py = inside.top(); py <= inside.bottom(); ++py) {
            for (int px = inside.left(); px <= inside.right(); ++px)
                found += image.pixel(px, py) == colour ? 1 : 0;
        }
        return found;
    }
};

inline plan::TimelineSpan spanOf(plan::SpanKind kind, std::uint32_t task, double begin, double end,
                                 std::uint32_t call = trace::none)
{
    return {.task = trace::Task(task), .kind = kind, .beginUs = begin, .endUs = end, .call = call};
}

/// Task 0 computes until 400 and sends; task 1 waits for it in MPI_Recv, and computes.
inline std::shared_ptr<const TraceStore> predictedStore()
{
    using plan::SpanKind;
    plan::Timeline timeline;
    timeline.tasks = 2;
    timeline.endUs = 1000;
    timeline.spans = {spanOf(SpanKind::Compute, 0, 0, 400), spanOf(SpanKind::Call, 0, 400, 500, 0),
                      spanOf(SpanKind::Call, 1, 0, 100, 2), spanOf(SpanKind::Wait, 1, 100, 700, 2),
                      spanOf(SpanKind::Compute, 1, 700, 1000)};
    timeline.arrows = {{.from = trace::Task(0),
                        .to = trace::Task(1),
                        .sentUs = 400,
                        .arrivedUs = 700,
                        .message = 0}};
    using Kind = plan::PathPiece::Kind;
    timeline.criticalPath = {{Kind::Compute, trace::Task(0), trace::Task(0), 0, 400},
                             {Kind::Message, trace::Task(0), trace::Task(1), 400, 700},
                             {Kind::Compute, trace::Task(1), trace::Task(1), 700, 1000}};
    return smallTrace().store(timeline);
}

} // namespace tasuki
