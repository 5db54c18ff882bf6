// SPDX-License-Identifier: GPL-3.0-or-later
// Control messages from somebody who knows the key and not the rules.
#include "fuzztarget.h"

#include "hierarchy/codec.h"

namespace fuzz_control {

TASUKI_FUZZ_TARGET(controlSeeds)
{
    using namespace tasuki;
    using namespace tasuki::hierarchy;
    const Result<ControlMessage> message = decode(
        std::string(reinterpret_cast<const char*>(data), size));
    if (!message.ok())
        return 0;
    const std::string bytes = encode(message.value());
    const Result<ControlMessage> again = decode(bytes);
    if (!again.ok() || encode(again.value()) != bytes)
        fuzz::fail("what was written is read as something else");
    return 0;
}

} // namespace fuzz_control
