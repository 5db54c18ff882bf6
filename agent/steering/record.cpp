// SPDX-License-Identifier: GPL-3.0-or-later
#include "record.h"

#include "runfile/runfilereader.h"

namespace tasuki::steering {

Result<void> readRecord(const std::filesystem::path& record,
                        const std::function<Result<void>(const Event&)>& take)
{
    Result<RunFileReader> reader = RunFileReader::open(record);
    if (!reader)
        return reader.error();
    return reader->replay([&](const Event& event) { return take(event); }, {},
                          RunFileReader::Outputs::Totals);
}

} // namespace tasuki::steering
