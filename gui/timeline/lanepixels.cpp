// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanepixels.h"

#include <algorithm>

namespace tasuki {

namespace {

/// However little ran in a column, it is seen.
constexpr float leastCover = 0.25F;
constexpr float fullCover = 0.998F;
/// An attempt that covers so many columns beyond its first is told apart by a line.
constexpr std::size_t separatedLength = 3;
constexpr double separatorStrength = 0.6;

struct Channels {
    float red = 0;
    float green = 0;
    float blue = 0;
};

QRgb blend(QRgb ground, const Channels& colour, float cover)
{
    const auto channel = [cover](int below, float above) {
        return static_cast<int>(static_cast<float>(below) * (1 - cover) + above * cover + 0.5F);
    };
    return qRgb(channel(qRed(ground), colour.red), channel(qGreen(ground), colour.green),
                channel(qBlue(ground), colour.blue));
}

class Mixer {
public:
    explicit Mixer(const TimelinePalette& palette) : m_palette(palette)
    {
        for (std::size_t kind = 0; kind < attemptClassCount; ++kind)
            m_colours[kind] = {static_cast<float>(qRed(palette.bar[kind])),
                               static_cast<float>(qGreen(palette.bar[kind])),
                               static_cast<float>(qBlue(palette.bar[kind]))};
    }

    [[nodiscard]] QRgb colour(const ColumnSummary& column, QRgb ground) const
    {
        float sum = 0;
        std::size_t kinds = 0;
        std::size_t only = 0;
        for (std::size_t kind = 0; kind < attemptClassCount; ++kind) {
            if (column.share[kind] <= 0)
                continue;
            sum += column.share[kind];
            ++kinds;
            only = kind;
        }
        if (kinds == 0) // of no length: it is only known that something was there
            return column.starts == 0 ? ground : blend(ground, m_colours[0], leastCover);
        const float cover = sum >= fullCover ? 1.0F
                                             : std::min(1.0F, leastCover + (1 - leastCover) * sum);
        if (kinds == 1)
            return cover >= 1 ? m_palette.bar[only] : blend(ground, m_colours[only], cover);
        Channels mean;
        for (std::size_t kind = 0; kind < attemptClassCount; ++kind) {
            const float part = column.share[kind] / sum;
            mean.red += m_colours[kind].red * part;
            mean.green += m_colours[kind].green * part;
            mean.blue += m_colours[kind].blue * part;
        }
        return blend(ground, mean, cover);
    }

private:
    const TimelinePalette& m_palette;
    std::array<Channels, attemptClassCount> m_colours;
};

bool busy(const ColumnSummary& column)
{
    return column.starts != 0
        || std::any_of(column.share.begin(), column.share.end(),
                       [](float share) { return share > 0; });
}

} // namespace

void LanePixels::make(std::span<const ColumnSummary> columns, std::span<const QRgb> ground,
                      const TimelinePalette& palette)
{
    m_bar.resize(columns.size());
    m_busy.resize(columns.size());
    m_failures.resize(columns.size());
    m_hasFailures = false;
    const Mixer mixer(palette);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        m_bar[i] = mixer.colour(columns[i], ground[i]);
        m_busy[i] = busy(columns[i]) ? 1 : 0;
        m_failures[i] = columns[i].failure ? 1 : 0;
        m_hasFailures = m_hasFailures || columns[i].failure;
    }
    separate(columns, ground);
}

/// Draws a line where an attempt begins right after another, if it is wide enough.
void LanePixels::separate(std::span<const ColumnSummary> columns, std::span<const QRgb> ground)
{
    std::size_t free = 0; // columns after this one in which something goes on and nothing begins
    for (std::size_t i = columns.size(); i-- > 1;) {
        if (columns[i].starts != 0) {
            if (free >= separatedLength && m_busy[i - 1] != 0)
                m_bar[i] = mixed(m_bar[i], ground[i], separatorStrength);
            free = 0;
        } else {
            free = m_busy[i] != 0 ? free + 1 : 0;
        }
    }
}

void fillRuns(QPainter& painter, const QRect& rect, std::span<const QRgb> columns)
{
    for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
        while (end < columns.size() && columns[end] == columns[begin])
            ++end;
        painter.fillRect(rect.left() + static_cast<int>(begin), rect.top(),
                         static_cast<int>(end - begin), rect.height(), opaque(columns[begin]));
    }
}

} // namespace tasuki
