// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timewindow.h"

#include <cstdint>
#include <optional>

namespace tasuki {

/// How the shown window moves by itself.
enum class ViewMode : std::uint8_t {
    Fit,    ///< everything is shown; the span grows with the content
    Follow, ///< the right edge keeps up with the end of the content, the span stays
    Free,   ///< stays where the user put it
};

/// Which part of time the timeline shows, and where on a width of pixels. Arithmetic only.
/// The content is what there is to see: from the first start to the last end, or to now.
class TimelineView {
public:
    /// The narrowest span: a microsecond is then some ten pixels wide.
    static constexpr Nanoseconds narrowest = 100'000;
    /// What is left free at the right of the content, as a part of the span.
    static constexpr double rightMargin = 0.03;
    /// The same at the left, when everything is shown.
    static constexpr double leftMargin = 0.01;

    /// @param width  in pixels, at least 1
    void setWidth(double width);
    /// The content has changed; a window that follows moves.
    void setContent(Nanoseconds begin, Nanoseconds end);

    [[nodiscard]] const TimeWindow& window() const { return m_window; }
    [[nodiscard]] double width() const { return m_width; }
    [[nodiscard]] ViewMode mode() const { return m_mode; }
    /// The window moves with the content.
    [[nodiscard]] bool follows() const { return m_mode != ViewMode::Free; }

    [[nodiscard]] Nanoseconds timeAt(double x) const;
    [[nodiscard]] double xOf(Nanoseconds time) const;

    /// Shows less (factor below 1) or more time, but not so much that the content is lost; what is at x
    /// stays there. The mode becomes Free.
    void zoom(double factor, double x);
    /// Moves the window by pixels, to later times where positive. The mode becomes Free.
    void pan(double pixels);
    void showAll();
    /// Moves the right edge to the end of the content and keeps it there.
    void follow();
    /// Moves to the first or last of the content with the same span. The mode becomes Free.
    void showFirst();
    void showLast();
    /// Moves a range that is not wholly seen to the middle, and zooms out when it does not fit. The
    /// mode becomes Free unless nothing has to move.
    void reveal(Nanoseconds begin, Nanoseconds end);
    /// Gives a range half of the width, in the middle. The mode becomes Free.
    void enlarge(Nanoseconds begin, Nanoseconds end);
    /// Moves a time to the middle, and zooms in when more than a span is shown. The mode becomes
    /// Free.
    void centre(Nanoseconds time, Nanoseconds mostSpan);

private:
    void place(double begin, double span);
    void keepUp(ViewMode mode);

    TimeWindow m_window{0, 1'000'000'000};
    Nanoseconds m_contentBegin = 0;
    Nanoseconds m_contentEnd = 0;
    double m_width = 1;
    ViewMode m_mode = ViewMode::Fit;
};

} // namespace tasuki
