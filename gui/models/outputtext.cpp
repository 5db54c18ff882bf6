// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputtext.h"

#include <QCoreApplication>

#include <algorithm>

namespace tasuki {

OutputText::OutputText(qsizetype limit) : m_limit(limit) {}

void OutputText::clear()
{
    m_text.clear();
    m_decoder.resetState();
    m_next = 0;
    m_total = 0;
    m_trimmed = false;
    m_hole = {};
}

QString OutputText::append(const OutputPiece& piece)
{
    m_total = std::max(m_total, piece.totalBytes);
    const std::uint64_t end = piece.offset + piece.bytes.size();
    if (end <= m_next)
        return {};
    QString added;
    std::string_view bytes = piece.bytes;
    if (piece.offset > m_next) {
        m_decoder.resetState();
        added = holeLine(piece.offset - m_next);
        m_hole = {.begin = m_hole.end == 0 ? m_next : m_hole.begin, .end = piece.offset};
    } else {
        bytes.remove_prefix(static_cast<std::size_t>(m_next - piece.offset));
    }
    m_next = end;
    const QString decoded = m_decoder.decode(
        QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    added += decoded;
    m_text += added;
    trim();
    return added;
}

QString OutputText::holeLine(std::uint64_t bytes) const
{
    const QString line =
        QCoreApplication::translate("OutputText", "[%1 bytes are not kept]").arg(bytes);
    const bool fresh = m_text.isEmpty() || m_text.endsWith(QLatin1Char('\n'));
    return (fresh ? QString() : QStringLiteral("\n")) + line + QLatin1Char('\n');
}

void OutputText::trim()
{
    if (m_text.size() <= m_limit)
        return;
    // Whole lines go, when lines are of any sensible length.
    qsizetype from = m_text.size() - m_limit;
    const qsizetype line = m_text.indexOf(QLatin1Char('\n'), from);
    if (line >= 0 && line < from + m_limit / 2)
        from = line + 1;
    m_text.remove(0, from);
    m_trimmed = true;
}

} // namespace tasuki
