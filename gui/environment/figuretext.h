// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/environment.h"

#include <QString>

#include <optional>
#include <utility>

/// Measured figures as text. Numbers have a decimal point in every language, as in the files.
namespace tasuki {

inline constexpr QChar plusMinusSign(0x00B1);

/// @return the fewest digits that read back as the same number
QString exactText(double value);
/// @return the same with the interval, if there is one: "60.12 ± 0.41"
QString exactText(double value, plan::Confidence interval);
/// @return at most six digits, more only before the point
QString roundedText(double value);
/// @return as many digits as the interval makes known: "60.1 ± 0.4", "0.80 ± 0.12"
QString roundedText(double value, plan::Confidence interval);

/// @return what stands before the sign ± and what behind it; it may be typed as +- or +/- too
std::pair<QString, std::optional<QString>> splitInterval(const QString& text);

} // namespace tasuki
