// SPDX-License-Identifier: GPL-3.0-or-later
// Words about copies of the record, and what processors say at the start about what they see of it.
#include "fuzztarget.h"

#include "replica/copywords.h"

#include <utility>

namespace fuzz_copies {

TASUKI_FUZZ_TARGET(copiesSeeds)
{
    using namespace tasuki;
    using namespace tasuki::replica;
    const std::string input(reinterpret_cast<const char*>(data), size);
    if (const Result<CopyWord> word = decodeCopyWord(input); word.ok()) {
        const Result<CopyWord> again = decodeCopyWord(encode(CopyWord(word.value())));
        if (!again.ok() || again.value() != word.value())
            fuzz::fail("a word that was written is read as another one");
    }
    if (const Result<RecordSight> sight = decodeRecordSight(input); sight.ok()) {
        const Result<RecordSight> again = decodeRecordSight(encode(sight.value()));
        if (!again.ok() || again.value() != sight.value())
            fuzz::fail("a sight that was written is read as another one");
    }
    return 0;
}

} // namespace fuzz_copies
