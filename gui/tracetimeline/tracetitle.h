// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timelinepalette.h"

#include <QCoreApplication>
#include <QFont>
#include <QPainter>
#include <QRect>
#include <QString>

#include <optional>

namespace tasuki {

/// What stands above a timeline: its title, and at the right when it ends.
class TraceTitle {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TraceTitle)

public:
    void setText(const QString& text) { m_text = text; }
    /// The end of a timeline beside it; the difference is told.
    void setReferenceEnd(std::optional<double> us) { m_referenceEndUs = us; }
    [[nodiscard]] std::optional<double> referenceEnd() const { return m_referenceEndUs; }

    [[nodiscard]] static int height(const QFont& font);
    /// @param hiddenMessages  too many to be drawn; 0: all are
    /// @return what stands at the right
    [[nodiscard]] QString status(double endUs, std::size_t hiddenMessages) const;
    void paint(QPainter& painter, const QRect& rect, const QFont& font, const QString& status,
               const TimelinePalette& palette) const;

private:
    QString m_text;
    std::optional<double> m_referenceEndUs;
};

} // namespace tasuki
