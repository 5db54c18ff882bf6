// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a serialised map as a hostile peer could send them. The first byte says the law and
// whether the check sum is put right, without which nobody would get far.
#include "fuzztarget.h"

#include "merge/chunk.h"
#include "merge/chunkformat.h"
#include "merge/digest.h"
#include "merge/mapmerger.h"
#include "merge/trim.h"

#include <algorithm>
#include <string>

namespace fuzz_map {

namespace {

using namespace tasuki;
using namespace tasuki::merge;

std::string withRightSum(std::string bytes)
{
    if (bytes.size() < format::prefixBytes)
        return bytes;
    bytes.replace(0, format::magic.size(), format::magic);
    format::storeFixed(bytes.data() + format::magic.size(),
                       checkSum(std::string_view(bytes).substr(format::summedFrom)));
    return bytes;
}

/// What was taken in must be written and read again as the same.
void check(const MergeMap& map)
{
    MapMerger merger{MergeMap(map.law())};
    ChunkWriter writer(map);
    while (auto chunk = writer.next(64)) {
        if (!merger.add(std::make_shared<const std::string>(std::move(*chunk))))
            fuzz::fail("what was written cannot be read");
    }
    if (merger.finish()->digest() != map.digest())
        fuzz::fail("what was written is read as something else");
    if (merged(map, map).digest() != map.digest())
        fuzz::fail("a map is not itself with itself");
    const std::size_t folded = map.folded().size();
    if (folded > map.size() || trimmed(map.folded(), 2).size() != std::min<std::size_t>(folded, 2))
        fuzz::fail("a map does not shrink as it should");
}

} // namespace

TASUKI_FUZZ_TARGET(mapSeeds)
{
    if (size == 0)
        return 0;
    const std::string given(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto laws = Law::names();
    const Law law = *Law::named(laws[data[0] / 2 % laws.size()]);
    MapMerger merger{MergeMap(law)};
    const auto added = merger.add(
        std::make_shared<const std::string>(data[0] % 2 == 0 ? withRightSum(given) : given));
    if (added)
        check(*merger.finish());
    else if (added.error().kind != ErrorKind::Damaged || added.error().message.empty())
        fuzz::fail("an error without words");
    return 0;
}

} // namespace fuzz_map
