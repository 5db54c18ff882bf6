// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of master, group schedulers and workers, from one that is broken or of another build.
#include "fuzztarget.h"

#include "farm/messages.h"

#include <utility>

namespace fuzz_farm {

TASUKI_FUZZ_TARGET(farmSeeds)
{
    using namespace tasuki;
    using namespace tasuki::farm;
    Result<Envelope> envelope = decode(std::string(reinterpret_cast<const char*>(data), size));
    if (!envelope.ok())
        return 0;
    const std::string bytes = encode(std::move(envelope.value()));
    Result<Envelope> again = decode(bytes);
    if (!again.ok() || encode(std::move(again.value())) != bytes)
        fuzz::fail("what was written is read as something else");
    return 0;
}

} // namespace fuzz_farm
