// SPDX-License-Identifier: GPL-3.0-or-later
#include "timelineview.h"

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

/// What a run without length is shown in.
constexpr double emptySpan = 1e9;
/// The window is at most so many times as long as the content.
constexpr double widest = 1.6;
/// Nor is it longer than this, unless the content is: no end of a window overflows.
constexpr double longestWindow = 4.6e18;

} // namespace

void TimelineView::setWidth(double width)
{
    m_width = std::max(1.0, width);
    if (follows())
        keepUp(m_mode);
}

void TimelineView::setContent(Nanoseconds begin, Nanoseconds end)
{
    m_contentBegin = begin;
    m_contentEnd = std::max(begin, end);
    if (follows())
        keepUp(m_mode);
}

Nanoseconds TimelineView::timeAt(double x) const
{
    return m_window.begin
        + static_cast<Nanoseconds>(std::floor(x / m_width * static_cast<double>(m_window.span)));
}

double TimelineView::xOf(Nanoseconds time) const
{
    return static_cast<double>(time - m_window.begin) / static_cast<double>(m_window.span)
        * m_width;
}

void TimelineView::zoom(double factor, double x)
{
    m_mode = ViewMode::Free;
    const double content = static_cast<double>(m_contentEnd - m_contentBegin);
    const double before = static_cast<double>(m_window.span);
    // What is wider already, since it was of another content, does not jump.
    const double most = std::min(
        std::max({(content > 0 ? content : emptySpan) * widest, double{narrowest}, before}),
        longestWindow);
    const double span = std::clamp(before * factor, double{narrowest}, most);
    // Relative to the window's begin: a double holds the difference of two times exactly enough.
    place(x / m_width * (before - span), span);
}

void TimelineView::pan(double pixels)
{
    m_mode = ViewMode::Free;
    const double span = static_cast<double>(m_window.span);
    place(pixels / m_width * span, span);
}

void TimelineView::showAll() { keepUp(ViewMode::Fit); }

void TimelineView::follow() { keepUp(ViewMode::Follow); }

void TimelineView::showFirst()
{
    m_mode = ViewMode::Free;
    const double span = static_cast<double>(m_window.span);
    place(static_cast<double>(m_contentBegin - m_window.begin) - span * leftMargin, span);
}

void TimelineView::showLast()
{
    keepUp(ViewMode::Follow);
    m_mode = ViewMode::Free;
}

void TimelineView::reveal(Nanoseconds begin, Nanoseconds end)
{
    if (begin >= m_window.begin && end <= m_window.end())
        return;
    m_mode = ViewMode::Free;
    constexpr double part = 0.6; // of the width, for a range that does not fit
    const double length = static_cast<double>(std::max<Nanoseconds>(end - begin, 0));
    const double span = std::max(static_cast<double>(m_window.span), length / part);
    const double centre = static_cast<double>(begin - m_window.begin) + length / 2;
    place(centre - span / 2, span);
}

void TimelineView::enlarge(Nanoseconds begin, Nanoseconds end)
{
    const double length = static_cast<double>(std::max<Nanoseconds>(end - begin, 1));
    const Nanoseconds middle = begin + (end - begin) / 2;
    zoom(2 * length / static_cast<double>(m_window.span), xOf(middle));
    pan(xOf(middle) - m_width / 2);
}

void TimelineView::centre(Nanoseconds time, Nanoseconds mostSpan)
{
    m_mode = ViewMode::Free;
    const double span = static_cast<double>(
        std::max<Nanoseconds>(narrowest, std::min(m_window.span, mostSpan)));
    place(static_cast<double>(time - m_window.begin) - span / 2, span);
}

/// @param begin  relative to where the window begins now
void TimelineView::place(double begin, double span)
{
    // A tenth of the window always shows content, so that nobody gets lost.
    const double kept = span / 10;
    const double first = static_cast<double>(m_contentBegin - m_window.begin);
    const double last = static_cast<double>(m_contentEnd - m_window.begin);
    const double inside = std::clamp(begin, first - span + kept,
                                     last - std::min(kept, last - first));
    m_window.begin += static_cast<Nanoseconds>(std::llround(inside));
    m_window.span = static_cast<Nanoseconds>(std::llround(span));
}

void TimelineView::keepUp(ViewMode mode)
{
    m_mode = mode;
    double span = static_cast<double>(m_window.span);
    if (mode == ViewMode::Fit) {
        const double content = static_cast<double>(m_contentEnd - m_contentBegin);
        const double all = content > 0 ? content : emptySpan;
        span = std::max(all / (1 - leftMargin - rightMargin), static_cast<double>(narrowest));
        m_window.begin = m_contentBegin - static_cast<Nanoseconds>(std::llround(span * leftMargin));
    } else {
        m_window.begin = m_contentEnd
            - static_cast<Nanoseconds>(std::llround(span * (1 - rightMargin)));
    }
    m_window.span = static_cast<Nanoseconds>(std::llround(span));
}

} // namespace tasuki
