// SPDX-License-Identifier: GPL-3.0-or-later
#include "figuretext.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int significantDigits = 6;
constexpr int mostDecimals = 12;
/// Between these, numbers are written without an exponent.
constexpr double leastPlain = 1e-7;
constexpr double mostPlain = 1e13;

bool isPlain(double value)
{
    return value == 0.0 || (std::abs(value) >= leastPlain && std::abs(value) < mostPlain);
}

QString withInterval(const QString& value, const QString& interval)
{
    return value + QLatin1Char(' ') + plusMinusSign + QLatin1Char(' ') + interval;
}

} // namespace

QString exactText(double value)
{
    return QString::number(value, isPlain(value) ? 'f' : 'g', QLocale::FloatingPointShortest);
}

QString roundedText(double value)
{
    if (!isPlain(value))
        return QString::number(value, 'g', significantDigits);
    const int before = value == 0.0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
    const int decimals = std::clamp(significantDigits - 1 - before, 0, mostDecimals);
    QString text = QString::number(value, 'f', decimals);
    if (decimals == 0)
        return text;
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

QString exactText(double value, plan::Confidence interval)
{
    return interval ? withInterval(exactText(value), exactText(*interval)) : exactText(value);
}

QString roundedText(double value, plan::Confidence interval)
{
    if (!interval)
        return roundedText(value);
    if (*interval == 0.0 || !isPlain(*interval) || !isPlain(value))
        return withInterval(roundedText(value), roundedText(*interval));
    const double exponent = std::floor(std::log10(*interval));
    const double leading = *interval / std::pow(10.0, exponent);
    constexpr double coarse = 1.95; // one digit would be off by up to a half
    const int digits = leading < coarse ? 2 : 1;
    const int decimals = std::clamp(digits - 1 - static_cast<int>(exponent), 0, mostDecimals);
    return withInterval(QString::number(value, 'f', decimals),
                        QString::number(*interval, 'f', decimals));
}

std::pair<QString, std::optional<QString>> splitInterval(const QString& text)
{
    for (const QString& sign :
         {QString(plusMinusSign), QStringLiteral("+/-"), QStringLiteral("+-")}) {
        if (const qsizetype at = text.indexOf(sign); at >= 0)
            return {text.left(at), text.mid(at + sign.size())};
    }
    return {text, std::nullopt};
}

} // namespace tasuki
