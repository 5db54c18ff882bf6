// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/masterstate.h"
#include "farm/operations.h"
#include "masterbench.h"
#include "support/manualclock.h"
#include "support/memoryjournal.h"
#include "support/recordingtransport.h"

#include <QTest>

#include <variant>
#include <vector>

namespace tasuki::farm::testing {

/// The parts of a master without one: a part is tested with those that it works with. Rank 1 is on
/// processor 1, and so on.
struct DeskBench {
    explicit DeskBench(MasterOptions options = {})
        : master((options.run.hex = "00", std::move(options)), state, transport, journal, clock),
          operations(state, master.scheduler, journal, {}, {})
    {
        journal.setCallbacks({.committed =
                                  [this](const std::vector<Event>& events) {
                                      for (const Event& event : events)
                                          master.record.committed(event);
                                  },
                              .stalled = {},
                              .resumed = {}});
    }
    /// So many tasks are recorded, and the scheduler knows them.
    void run(std::uint32_t tasks)
    {
        master.record.open(openingOf(tasks));
        journal.commit();
        master.attempts.begin({});
        master.course.phase = MasterPhase::Running;
    }
    /// A worker group of two slots holds what is ready.
    void handOutTo(GroupId group)
    {
        master.scheduler.groupJoined(group, 2);
        static_cast<void>(master.scheduler.assignments(clock.now()));
    }
    Report startOf(AttemptKey key) const
    {
        return {.started = {{key, SlotIndex(0), {}}}, .finished = {}};
    }
    Report endOf(AttemptKey key, Outcome outcome) const
    {
        AttemptResult result;
        result.outcome = outcome;
        return {.started = {}, .finished = {{key, SlotIndex(0), result}}};
    }
    /// What was sent since the last call, in order.
    struct Letter {
        ProcessorId to;
        Envelope envelope;
    };
    std::vector<Letter> sent()
    {
        std::vector<Letter> letters;
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            Result<Envelope> envelope = decode(item.message);
            if (!envelope)
                QTest::qFail("a message that nobody can read", __FILE__, __LINE__);
            else
                letters.push_back({item.to, std::move(*envelope)});
        }
        return letters;
    }
    /// Those of one kind.
    template <class Kind>
    std::vector<Kind> sentOf()
    {
        std::vector<Kind> found;
        for (const Letter& letter : sent()) {
            if (const Kind* message = std::get_if<Kind>(&letter.envelope.message))
                found.push_back(*message);
        }
        return found;
    }
    /// What was given to the journal, of one kind.
    template <class Kind>
    std::vector<Kind> recorded()
    {
        journal.commit();
        return journal.recorded<Kind>();
    }

    ManualClock clock;
    RecordingTransport transport{ProcessorId(0), 6};
    MemoryJournal journal{Epoch(1), clock};
    RunState state;
    MasterState master;
    Operations operations;
};

} // namespace tasuki::farm::testing
