// SPDX-License-Identifier: GPL-3.0-or-later
#include "linediff.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

namespace tasuki {

namespace {

using Lines = std::vector<std::string_view>;
using Part = std::span<const std::string_view>;
using LineKind = DiffLine::Kind;

constexpr std::ptrdiff_t mostDifferences = 1000;

Lines linesOf(std::string_view text)
{
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// E. W. Myers, An O(ND) difference algorithm and its variations (1986): the furthest places that
/// are reached with 0, 1, 2, ... differences along each diagonal.
class ShortestScript {
public:
    ShortestScript(Part before, Part after)
        : m_before(before),
          m_after(after),
          m_most(
              std::min(static_cast<std::ptrdiff_t>(before.size() + after.size()), mostDifferences))
    {}

    /// @return for each line of both the way they went, in order; none: there are too many
    std::optional<std::vector<LineKind>> find();

private:
    [[nodiscard]] std::size_t at(std::ptrdiff_t diagonal) const
    {
        return static_cast<std::size_t>(diagonal + m_most + 1);
    }
    /// Whether the way to a diagonal with so many differences came by adding a line.
    [[nodiscard]] bool byAdding(const std::vector<std::ptrdiff_t>& reach, std::ptrdiff_t count,
                                std::ptrdiff_t diagonal) const
    {
        return diagonal == -count
            || (diagonal != count && reach[at(diagonal - 1)] < reach[at(diagonal + 1)]);
    }
    [[nodiscard]] std::vector<LineKind> retrace() const;

    Part m_before;
    Part m_after;
    std::ptrdiff_t m_most;
    std::vector<std::vector<std::ptrdiff_t>> m_reaches; ///< before each count of differences
};

std::optional<std::vector<LineKind>> ShortestScript::find()
{
    const auto width = static_cast<std::ptrdiff_t>(m_before.size());
    const auto height = static_cast<std::ptrdiff_t>(m_after.size());
    std::vector<std::ptrdiff_t> reach(static_cast<std::size_t>(2 * m_most + 3), 0);
    for (std::ptrdiff_t count = 0; count <= m_most; ++count) {
        m_reaches.push_back(reach);
        for (std::ptrdiff_t diagonal = -count; diagonal <= count; diagonal += 2) {
            std::ptrdiff_t x = byAdding(reach, count, diagonal) ? reach[at(diagonal + 1)]
                                                                : reach[at(diagonal - 1)] + 1;
            std::ptrdiff_t y = x - diagonal;
            while (x < width && y >= 0 && y < height
                   && m_before[static_cast<std::size_t>(x)]
                       == m_after[static_cast<std::size_t>(y)]) {
                ++x;
                ++y;
            }
            reach[at(diagonal)] = x;
            if (x >= width && y >= height)
                return retrace();
        }
    }
    return std::nullopt;
}

std::vector<LineKind> ShortestScript::retrace() const
{
    std::vector<LineKind> way;
    auto x = static_cast<std::ptrdiff_t>(m_before.size());
    auto y = static_cast<std::ptrdiff_t>(m_after.size());
    for (auto count = static_cast<std::ptrdiff_t>(m_reaches.size()) - 1; count >= 0; --count) {
        const std::vector<std::ptrdiff_t>& reach = m_reaches[static_cast<std::size_t>(count)];
        const std::ptrdiff_t diagonal = x - y;
        const bool adding = byAdding(reach, count, diagonal);
        const std::ptrdiff_t from = adding ? diagonal + 1 : diagonal - 1;
        const std::ptrdiff_t beginX = count == 0 ? 0 : reach[at(from)];
        const std::ptrdiff_t beginY = count == 0 ? 0 : beginX - from;
        while (x > beginX && y > beginY) {
            way.push_back(LineKind::Same);
            --x;
            --y;
        }
        if (count == 0)
            break;
        way.push_back(adding ? LineKind::Added : LineKind::Removed);
        x = beginX;
        y = beginY;
    }
    std::ranges::reverse(way);
    return way;
}

/// Puts what was removed before what was added wherever they meet.
void sortRuns(std::vector<LineKind>& way)
{
    const auto isSame = [](LineKind kind) { return kind == LineKind::Same; };
    for (auto begin = way.begin(); begin != way.end();) {
        begin = std::find_if_not(begin, way.end(), isSame);
        const auto end = std::find_if(begin, way.end(), isSame);
        std::sort(begin, end);
        begin = end;
    }
}

} // namespace

std::vector<DiffLine> lineDiff(std::string_view before, std::string_view after)
{
    const Lines old = linesOf(before);
    const Lines fresh = linesOf(after);
    const auto [oldEnd, freshEnd] = std::ranges::mismatch(old, fresh);
    const auto head = static_cast<std::size_t>(oldEnd - old.begin());
    std::size_t tail = 0;
    while (tail < std::min(old.size(), fresh.size()) - head
           && old[old.size() - 1 - tail] == fresh[fresh.size() - 1 - tail])
        ++tail;
    const Part oldPart = Part(old).subspan(head, old.size() - head - tail);
    const Part freshPart = Part(fresh).subspan(head, fresh.size() - head - tail);

    std::vector<LineKind> way(head, LineKind::Same);
    if (const auto script = ShortestScript(oldPart, freshPart).find()) {
        way.insert(way.end(), script->begin(), script->end());
    } else {
        way.insert(way.end(), oldPart.size(), LineKind::Removed);
        way.insert(way.end(), freshPart.size(), LineKind::Added);
    }
    way.insert(way.end(), tail, LineKind::Same);
    sortRuns(way);

    std::vector<DiffLine> lines;
    std::size_t i = 0;
    std::size_t j = 0;
    for (const LineKind kind : way) {
        lines.push_back({kind, std::string(kind == LineKind::Added ? fresh[j] : old[i])});
        i += kind != LineKind::Added ? 1U : 0U;
        j += kind != LineKind::Removed ? 1U : 0U;
    }
    return lines;
}

} // namespace tasuki
