// SPDX-License-Identifier: GPL-3.0-or-later
#include "logcolour.h"

#include <QRegularExpression>
#include <QString>

#include <array>

namespace tasuki {

namespace {

/// Those that Qt has are opaque but for one that means "no colour".
std::optional<QColor> knownColour(const QString& name)
{
    const QColor colour(name);
    if (!colour.isValid() || colour.alpha() != 255)
        return std::nullopt;
    return colour;
}

} // namespace

std::optional<QColor> logColour(const std::string& name)
{
    static const QRegularExpression pattern(
        QStringLiteral("^(?:(gr[ae]y)(100|\\d\\d?)|([a-z]+?)([1-4])|([a-z]+|#[0-9a-f]{6}))$"),
        QRegularExpression::CaseInsensitiveOption);
    const QString text = QString::fromStdString(name).remove(QLatin1Char(' '));
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    if (!match.captured(1).isEmpty()) {
        const int level = match.captured(2).toInt() * 255 / 100;
        return QColor(level, level, level);
    }
    if (match.captured(3).isEmpty())
        return knownColour(match.captured(5));
    // The shades of X11: the colour itself, and three darker ones.
    constexpr std::array strengths{1.0F, 0.932F, 0.804F, 0.548F};
    const auto colour = knownColour(match.captured(3));
    if (!colour)
        return std::nullopt;
    const float part = strengths[static_cast<std::size_t>(match.captured(4).toInt() - 1)];
    return QColor::fromRgbF(colour->redF() * part, colour->greenF() * part, colour->blueF() * part);
}

} // namespace tasuki
