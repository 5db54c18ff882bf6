// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runname.h"

#include "domain/event.h"
#include "domain/result.h"

#include <filesystem>
#include <functional>

namespace tasuki::steering {

/// Reads all that the record of a run tells, without what attempts have written.
/// @param take  an Error of its ends the reading
Result<void> readRecord(const std::filesystem::path& record,
                        const std::function<Result<void>(const Event&)>& take);

/// The same into a state that has apply().
template <class History>
Result<void> readRecord(const std::filesystem::path& record, History& history)
{
    return readRecord(record, [&](const Event& event) -> Result<void> {
        const auto applied = history.apply(event);
        return applied ? Result<void>() : Result<void>(applied.error());
    });
}

} // namespace tasuki::steering
