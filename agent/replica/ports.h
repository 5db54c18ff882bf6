// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/recordrows.h"
#include "domain/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tasuki::replica {

/// The rows of the record that a master writes. Each call is answered later by its callback, on the
/// reactor's thread, in order; none after the destructor. No call blocks.
class RowSource {
public:
    using Rows = std::function<void(Result<RecordRows>)>;
    using Shared = std::function<void(Result<std::optional<RecordMark>>)>;

    RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;
    virtual ~RowSource() = default;

    /// What is committed behind an event. Empty: nothing is now.
    /// @param bytes  about how much
    virtual void read(EventId after, std::size_t bytes, Rows taken) = 0;
    /// The first of these marks that the record has too.
    virtual void firstShared(std::vector<RecordMark> marks, Shared taken) = 0;
};

/// Where a processor keeps a copy of the record. Calls and callbacks as of RowSource; what an earlier
/// open() began is not told after another one, or after close().
class CopyStore {
public:
    struct Opened {
        RecordPlace place;
        std::vector<RecordMark> marks; ///< of its latest event and of earlier ones
    };
    using Done = std::function<void(Result<void>)>;

    CopyStore() = default;
    CopyStore(const CopyStore&) = delete;
    CopyStore& operator=(const CopyStore&) = delete;
    virtual ~CopyStore() = default;

    /// Opens what is there of this run, or makes a copy.
    /// @param term  of the master whose record it is to follow: an earlier master, and anybody else
    ///              that has the file open for that one, writes there no more
    virtual void open(const RunId& run, const RecordPlace& original, Term term,
                      std::function<void(Result<Opened>)> opened) = 0;
    /// Takes back what is behind an event.
    virtual void cutAfter(EventId last, Done done) = 0;
    /// Makes rows durable. Several may be under way.
    virtual void append(RecordRows rows, Done done) = 0;
    /// Lets go of the file: what is under way is finished or given up, nothing is told of it.
    /// @param discard  a copy that was made by this is not needed any more
    virtual void close(bool discard) = 0;
};

} // namespace tasuki::replica
