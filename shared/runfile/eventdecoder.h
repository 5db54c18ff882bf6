// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/event.h"
#include "prerequisitestext.h"
#include "runfilereader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki {

class Details;

/// What tasks share and has been read: settings, by their row, and groups of prerequisites. Rows are
/// only ever added, so they stay true; the next replay of the same file needs only what is new.
struct SharedParts {
    std::unordered_map<std::int64_t, std::shared_ptr<const TaskSettings>> settings;
    std::int64_t latestSettings = 0; ///< the greatest row that was read
    PrerequisitesReader prerequisites;
};

/// Reads the rows of events in the order of their ids. To be used inside one read transaction,
/// which must outlast it.
class EventDecoder {
public:
    /// @param database  must outlive the decoder
    /// @param after     the first event is the one after this id
    /// @param outputs   what attempts come with of what they wrote; else both streams are empty
    /// @param shared    of this file; must outlive the decoder
    static Result<EventDecoder> prepare(Database& database, EventId after,
                                        RunFileReader::Outputs outputs, SharedParts& shared);

    /// @param event  receives the next event; what it was is overwritten
    /// @return false after the last; an Error of kind Damaged for rows that make no event
    Result<bool> next(Event& event);

private:
    /// A table whose rows are met in step with those of event.
    struct SideTable {
        Statement rows;
        bool begun = false;
        bool valid = false;

        /// @return whether the current row is of that event, skipping those of earlier ones
        Result<bool> seek(Database& database, std::int64_t event);
        Result<void> advance(Database& database);
    };
    class Row;

    EventDecoder(Database& database, SharedParts& shared) : m_database(&database), m_shared(&shared)
    {}
    Result<void> decode(Row& row, Event& event);
    Result<void> readTask(Row& row, Task& task);
    Result<void> readOutputs(Row& row, AttemptResult& result);
    Result<void> readDetails(std::int64_t event, Details& details);
    Result<void> decodeDetailed(Row& row, Event& event);
    Result<std::shared_ptr<const TaskSettings>> settings(std::int64_t id);
    Result<void> loadSettings();

    Database* m_database;
    SharedParts* m_shared;
    Statement m_rows;
    SideTable m_details;
    SideTable m_outputs;
    bool m_withOutputs = false;
    std::int64_t m_latestId = 0;
    std::shared_ptr<const TaskSettings> m_latest;
};

} // namespace tasuki
