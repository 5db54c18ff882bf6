// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "merge/chunk.h"
#include "merge/mapbuilder.h"

#include <limits>

namespace tasuki::fuzz {

std::vector<std::string> mapSeeds()
{
    using namespace tasuki::merge;
    std::vector<std::string> all;
    const auto laws = Law::names();
    for (std::size_t law = 0; law < laws.size(); ++law) {
        for (const std::size_t entries : {1U, 3U, 40U}) {
            MapBuilder builder(*Law::named(laws[law]));
            for (std::size_t number = 0; number < entries; ++number) {
                const std::string key(number % 5 == 0 ? number * 4 : 1, static_cast<char>(number));
                const std::string value = std::to_string(number * 37);
                builder.put(
                    {.key = key,
                     .value = value,
                     .stamp = {number << (number % 60), static_cast<std::uint32_t>(number % 3)},
                     .score = number % 2 == 0 ? 0.0 : 1.5});
            }
            const MergeMap map = builder.build();
            const auto chunk = ChunkWriter(map).next(std::numeric_limits<std::uint64_t>::max());
            for (const std::size_t raw : {0U, 1U})
                all.push_back(std::string(1, static_cast<char>(2 * law + raw)) + *chunk);
        }
    }
    return all;
}

} // namespace tasuki::fuzz
