// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracepalette.h"

#include "logcolour.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tasuki {

namespace {

constexpr QRgb nearlyBlack = 0xff1d232b;
constexpr QRgb white = 0xffffffff;

struct FamilyColours {
    std::array<QRgb, callFamilyCount> families; ///< send, receive, wait, collective, other
    QRgb compute;
    QRgb arrow;
    QRgb path;
    QRgb pathOutline;
};

constexpr FamilyColours onLight{
    {0xff2f7fc4, 0xff12a07a, 0xffe6a11c, 0xffc0609a, 0xff98a1ac},
    0xffdde3ea,
    0xff1d232b,
    0xffd04a00,
    0xffffffff,
};
constexpr FamilyColours onDark{
    {0xff3f8fd0, 0xff16a882, 0xffd9961a, 0xffc774a6, 0xff7b8592},
    0xff363e48,
    0xffe6eaef,
    0xffff8a3c,
    0xff101317,
};
/// For states whose log names no colour.
constexpr std::array<QRgb, 6> spares{0xff8a6fc0, 0xff6f8f3a, 0xffb07a4a,
                                     0xff4a9fb0, 0xffb0586a, 0xff6a7fa8};

double luminance(QRgb rgb)
{
    const auto channel = [](int value) {
        const double part = value / 255.0;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(qRed(rgb)) + 0.7152 * channel(qGreen(rgb))
        + 0.0722 * channel(qBlue(rgb));
}

double contrast(QRgb a, QRgb b)
{
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

QRgb textFor(QRgb ground)
{
    // Close to even the lighter text is easier to read on hues.
    return contrast(ground, nearlyBlack) > 1.6 * contrast(ground, white) ? nearlyBlack : white;
}

/// A colour of a log was chosen for its own ground: what hardly differs from ours is moved away.
QRgb standingOut(QRgb colour, const TimelinePalette& base)
{
    constexpr double least = 1.6;
    constexpr double step = 0.15;
    for (int i = 0; i < 6 && contrast(colour, base.background) < least; ++i)
        colour = mixed(colour, base.text, step);
    return colour;
}

QRgb stateColour(const trace::StateType& state, std::size_t number, const TimelinePalette& base)
{
    // Full yellow or white dazzles, most of all on a dark ground.
    constexpr double dimming = 0.15;
    const auto own = logColour(state.colour);
    return standingOut(
        own ? mixed(own->rgb(), base.background, dimming) : spares[number % spares.size()], base);
}

} // namespace

TracePalette TracePalette::of(const QPalette& palette, const TraceCategories& categories)
{
    TracePalette result;
    result.base = TimelinePalette::of(palette);
    const bool isDark = palette.color(QPalette::Base).lightnessF() < 0.5F;
    const FamilyColours& colours = isDark ? onDark : onLight;
    result.arrow = colours.arrow;
    result.path = colours.path;
    result.pathOutline = colours.pathOutline;
    result.end = result.base.now;
    for (std::size_t i = 0; i < categories.count(); ++i) {
        const auto category = static_cast<TraceCategory>(i);
        QRgb fill = result.base.background;
        if (category == TraceCategories::compute)
            fill = colours.compute;
        else if (TraceCategories::isState(category))
            fill = stateColour(categories.stateOf(category), i - TraceCategories::firstOfStates,
                               result.base);
        else if (category != TraceCategories::idle)
            fill = colours.families[static_cast<std::size_t>(
                TraceCategories::familyOfCategory(category))];
        result.stripe.push_back(fill);
        if (TraceCategories::isWaiting(category))
            fill = mixed(result.base.background, fill, isDark ? 0.22 : 0.18);
        result.fill.push_back(fill);
        result.edge.push_back(mixed(result.stripe.back(), isDark ? white : nearlyBlack, 0.35));
        result.text.push_back(category == TraceCategories::compute
                                      || TraceCategories::isWaiting(category)
                                  ? result.base.text
                                  : textFor(fill));
    }
    return result;
}

} // namespace tasuki
