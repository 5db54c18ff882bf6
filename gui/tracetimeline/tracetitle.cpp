// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracetitle.h"

#include "tracetext.h"

#include <QFontMetrics>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int titlePadding = 4; ///< above and below
constexpr int titleSpace = 8;
constexpr int titlePart = 3; ///< the title keeps one part of so many of the width at least

} // namespace

int TraceTitle::height(const QFont& font) { return QFontMetrics(font).height() + 2 * titlePadding; }

QString TraceTitle::status(double endUs, std::size_t hiddenMessages) const
{
    QStringList parts;
    if (hiddenMessages > 0)
        parts << tr("%Ln messages; zoom in to see them", nullptr, static_cast<int>(hiddenMessages));
    QString end = tr("end: %1").arg(TraceText::duration(endUs));
    if (m_referenceEndUs && *m_referenceEndUs > 0) {
        const double part = (endUs - *m_referenceEndUs) / *m_referenceEndUs * 100;
        const QString percent = QLocale().toString(std::abs(part), 'f', 1);
        if (std::abs(part) >= 0.05)
            end += QLatin1Char(' ')
                + (part > 0 ? tr("(%1 % later)").arg(percent) : tr("(%1 % sooner)").arg(percent));
    }
    parts << end;
    return parts.join(QStringLiteral("  \u00b7  "));
}

void TraceTitle::paint(QPainter& painter, const QRect& rect, const QFont& font,
                       const QString& status, const TimelinePalette& palette) const
{
    painter.fillRect(rect, opaque(palette.gutter));
    const QRect inner = rect.adjusted(titleSpace, 0, -titleSpace, 0);
    QFont bold = font;
    bold.setBold(true);
    const QFontMetrics boldMetrics(bold);
    const QFontMetrics metrics(font);
    const int wanted = std::min(boldMetrics.horizontalAdvance(m_text), inner.width() / titlePart);
    const QString right = metrics.elidedText(status, Qt::ElideRight,
                                             inner.width() - wanted - 2 * titleSpace);
    painter.setFont(font);
    painter.setPen(opaque(palette.dimText));
    painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, right);
    painter.setFont(bold);
    painter.setPen(opaque(palette.text));
    const int room = inner.width() - metrics.horizontalAdvance(right) - 2 * titleSpace;
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     boldMetrics.elidedText(m_text, Qt::ElideMiddle, room));
}

} // namespace tasuki
