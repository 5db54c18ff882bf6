// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "replica/ports.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::testing {

/// Functions that a thread would run, until the test does.
class Later {
public:
    void post(std::function<void()> work) { m_work.push_back(std::move(work)); }
    /// Runs what has been posted so far. @return whether there was anything
    bool run()
    {
        std::deque<std::function<void()>> work = std::exchange(m_work, {});
        for (const auto& one : work)
            one();
        return !work.empty();
    }

private:
    std::deque<std::function<void()>> m_work;
};

/// Every event that was ever shipped in a test: rows name them by their places here, as two records
/// can have different ones under the same id.
using Shipped = std::vector<Event>;

inline RecordMark markOf(const Event& event)
{
    return {.id = event.id, .wallTime = event.wallTime, .monotonic = event.monotonic};
}

/// Rows of a record in memory.
class MemoryRows final : public replica::RowSource {
public:
    using Record = std::function<const std::vector<Event>&()>;
    /// All references outlive this.
    MemoryRows(Record record, Shipped& shipped, Later& later)
        : m_record(std::move(record)), m_shipped(shipped), m_later(later)
    {}
    ~MemoryRows() override { *m_alive = false; }

    void read(EventId after, std::size_t bytes, Rows taken) override
    {
        m_later.post([this, alive = m_alive, after, bytes, taken = std::move(taken)] {
            if (!*alive)
                return;
            RecordRows rows{.after = after, .last = after, .bytes = {}};
            std::size_t size = 0;
            for (const Event& event : m_record()) {
                if (event.id <= after || size >= bytes || rowCount(rows) >= most)
                    continue;
                rows.bytes += std::to_string(m_shipped.size()) + ' ';
                rows.last = event.id;
                m_shipped.push_back(event);
                size += eventBytes;
            }
            taken(unreadable ? Result<RecordRows>(*unreadable)
                             : Result<RecordRows>(std::move(rows)));
        });
    }
    void firstShared(std::vector<RecordMark> marks, Shared taken) override
    {
        m_later.post([this, alive = m_alive, marks = std::move(marks), taken = std::move(taken)] {
            if (!*alive)
                return;
            for (const RecordMark& mark : marks) {
                if (std::ranges::any_of(m_record(), [&mark](const Event& event) {
                        return markOf(event) == mark;
                    })) {
                    taken(std::optional(mark));
                    return;
                }
            }
            taken(std::optional<RecordMark>());
        });
    }

    std::size_t eventBytes = 100; ///< as it counts
    std::size_t most = 1'000'000; ///< events in one batch
    std::optional<Error> unreadable;

private:
    static std::size_t rowCount(const RecordRows& rows)
    {
        return static_cast<std::size_t>(std::ranges::count(rows.bytes, ' '));
    }
    Record m_record;
    Shipped& m_shipped;
    Later& m_later;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

/// A copy in memory.
class MemoryCopy final : public replica::CopyStore {
public:
    /// @param file  what the copy's file holds; references outlive this
    MemoryCopy(std::vector<Event>& file, RecordPlace place, const Shipped& shipped, Later& later)
        : m_file(file), m_place(std::move(place)), m_shipped(shipped), m_later(later)
    {}
    ~MemoryCopy() override { *m_alive = false; }

    void open(const RunId&, const RecordPlace&, Term term,
              std::function<void(Result<Opened>)> opened) override
    {
        terms.push_back(term);
        ++m_opening;
        ++opens;
        later([this, opened = std::move(opened)] {
            if (unwritable) {
                opened(*unwritable);
                return;
            }
            Opened file{.place = m_place, .marks = {}};
            for (std::size_t back = 1, step = 1; back <= m_file.size(); back += step, step *= 2)
                file.marks.push_back(markOf(m_file[m_file.size() - back]));
            opened(std::move(file));
        });
    }
    void cutAfter(EventId last, Done done) override
    {
        later([this, last, done = std::move(done)] {
            cut += static_cast<std::size_t>(
                std::erase_if(m_file, [last](const Event& event) { return event.id > last; }));
            done({});
        });
    }
    void append(RecordRows rows, Done done) override
    {
        later([this, rows = std::move(rows), done = std::move(done)] {
            if (unwritable) {
                done(*unwritable);
                return;
            }
            for (std::size_t at = 0; at < rows.bytes.size();) {
                std::size_t length = 0;
                m_file.push_back(m_shipped.at(std::stoul(rows.bytes.substr(at), &length)));
                at += length + 1;
            }
            done({});
        });
    }
    void close(bool discard) override
    {
        ++m_opening;
        discarded = discard;
        if (discard)
            m_file.clear();
    }

    std::optional<Error> unwritable;
    bool hangs = false;      ///< nothing is done for now
    std::vector<Term> terms; ///< for which it was opened
    std::size_t cut = 0;     ///< events that were taken back
    int opens = 0;
    bool discarded = false;
    /// What was not done goes on.
    void goOn()
    {
        hangs = false;
        for (auto& work : std::exchange(m_kept, {}))
            work();
    }

private:
    void later(std::function<void()> work)
    {
        m_later.post([this, alive = m_alive, opening = m_opening, work = std::move(work)] {
            if (!*alive)
                return;
            auto now = [this, opening, work] {
                if (opening == m_opening)
                    work();
            };
            if (hangs)
                m_kept.push_back(now);
            else
                now();
        });
    }

    std::vector<Event>& m_file;
    RecordPlace m_place;
    const Shipped& m_shipped;
    Later& m_later;
    std::uint64_t m_opening = 0;
    std::vector<std::function<void()>> m_kept;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace tasuki::testing
