// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "plan/timescale.h"

namespace tasuki {

/// Runtimes as text in the language of the user.
class TimeText {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TimeText)

public:
    TimeText() = default;
    explicit TimeText(const plan::TimeScale& scale) : m_scale(scale) {}

    [[nodiscard]] double inUnit(double us) const { return m_scale.inUnit(us); }
    /// @return e.g. "1.2345 s"
    [[nodiscard]] QString text(double us) const;
    /// @return e.g. "s"
    [[nodiscard]] QString unitName() const;
    bool operator==(const TimeText&) const = default;

private:
    plan::TimeScale m_scale;
};

/// @return e.g. "12.3 %"
QString percentText(double share);
/// @return e.g. "+2.1 %"
QString signedPercentText(double share);

} // namespace tasuki
