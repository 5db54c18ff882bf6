// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ranks that are killed and begin again, beside the same ranks that are not: in one process, one step of one rank at a time.
#pragma once

#include "world/endpoint.h"

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::world::takeover {

inline constexpr std::uint64_t context = 7;
inline constexpr int anyTag = Pattern::any;

/// What a rank has seen: all that it does depends on it, and on nothing else.
class Digest {
public:
    void add(std::uint64_t number)
    {
        m_value = (m_value ^ number) * 1'099'511'628'211U;
        m_value ^= m_value >> 29U;
    }
    [[nodiscard]] std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 14'695'981'039'346'656'037U;
};

inline std::string payloadOf(std::uint64_t seed, std::size_t size)
{
    std::string bytes(std::max(size, sizeof seed), '\0');
    std::memcpy(bytes.data(), &seed, sizeof seed);
    for (std::size_t i = sizeof seed; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(seed >> (8 * (i % 8)));
    return bytes;
}

struct Faults {
    bool forgetsTime =
        false; ///< a program does something else the next time, and the log cannot know
    bool forgetsMemory = false; ///< a restart point gives back other memory than it was given
};

/// Restart points of a program, and how many of its lives went on from one.
struct Points {
    std::mt19937* chance =
        nullptr; ///< whether one that is asked for is saved; null: the program asks for none
    int saved = 0;
    int restored = 0;
};

/// A program: in each round it sends to some ranks, receives from any rank as many as are meant for it, tests and asks for the
/// time, in an order that follows from what it has seen so far. It is written as single steps, between which it can be killed.
class Program {
public:
    Program(const Segment& made, WorldRank me, std::uint64_t rounds, std::int64_t& clock,
            Points& points, Faults faults = {}, std::function<void()> waits = {})
        : m_rounds(rounds), m_clock(clock), m_points(points), m_faults(faults)
    {
        auto segment = Segment::open(made.path());
        if (!segment)
            qFatal("%s", segment.error().text().c_str());
        Endpoint::Options options;
        options.log.differs = [this](const std::string& what) { m_differs = what; };
        options.log.ended = [this](const std::string& why) { m_ended = why; };
        options.log.waits = std::move(waits);
        m_end = std::make_unique<Endpoint>(std::move(*segment), me, options);
        m_sentTo.resize(m_end->ranks());
        m_takenFrom.resize(m_end->ranks());
    }

    [[nodiscard]] bool isOver() const { return m_round == m_rounds; }
    [[nodiscard]] std::uint64_t result() const { return m_seen.value(); }
    [[nodiscard]] const std::vector<std::uint64_t>& history() const { return m_history; }
    [[nodiscard]] const std::string& differs() const { return m_differs; }
    [[nodiscard]] const std::string& ended() const { return m_ended; }
    [[nodiscard]] bool replays() const { return m_end->replays(); }

    /// One call of MPI, or one look of one that waits.
    void step()
    {
        if (isOver())
            return;
        if (m_waits) {
            m_end->progress(Endpoint::Look::Waits);
            return lookAtReceive();
        }
        if (m_awaitsPoint)
            return point();
        m_end->beginCall();
        if (m_points.chance != nullptr && !std::exchange(m_wasAtPoint, true))
            return point();
        if (m_sent < m_end->ranks())
            return sendNext();
        if (m_taken < m_end->ranks())
            return receiveNext();
        m_round += 1;
        m_sent = m_taken = 0;
        m_wasAtPoint = false;
    }

private:
    /// Between two rounds: the messages of others for the next one may have come.
    void point()
    {
        MessageLog& log = *m_end->log();
        const MessageLog::PointHere here = log.pointHere();
        m_awaitsPoint = here == MessageLog::PointHere::Awaits;
        switch (here) {
        case MessageLog::PointHere::Awaits:
        case MessageLog::PointHere::None: return;
        case MessageLog::PointHere::Repeats:
            log.openPoint();
            log.closePoint();
            return;
        case MessageLog::PointHere::Leaps: return goOn(log);
        case MessageLog::PointHere::New: break;
        }
        if (!m_end->keeps() || (*m_points.chance)() % 3 != 0)
            return;
        if (!log.awaitCarried(std::chrono::seconds(0)))
            return;
        StateWriter state;
        state.put(std::uint64_t{m_history.size()});
        for (const Numbers* const numbers : exchanged()) {
            state.put(std::uint64_t{numbers->size()});
            for (const std::uint64_t number : *numbers)
                state.put(number);
        }
        const std::vector<std::uint64_t> needed = m_end->save(state);
        const std::array memory{
            StreamWriter::Part{&m_round, sizeof m_round},
            StreamWriter::Part{&m_seen, sizeof m_seen},
            StreamWriter::Part{m_history.data(), m_history.size() * sizeof(std::uint64_t)}};
        m_points.saved += log.savePoint(needed, state.bytes(), memory) ? 1 : 0;
    }

    void goOn(MessageLog& log)
    {
        StateReader state(log.openPoint());
        m_history.resize(state.get<std::uint64_t>());
        for (Numbers* const numbers : exchanged()) {
            numbers->resize(state.get<std::uint64_t>());
            for (std::uint64_t& number : *numbers)
                number = state.get<std::uint64_t>();
        }
        m_end->restore(state);
        log.readMemory(&m_round, sizeof m_round);
        log.readMemory(&m_seen, sizeof m_seen);
        log.readMemory(m_history.data(), m_history.size() * sizeof(std::uint64_t));
        log.closePoint();
        if (m_faults.forgetsMemory)
            m_seen.add(1);
        ++m_points.restored;
    }

    using Numbers = std::vector<std::uint64_t>;
    /// By rank, what was sent and taken.
    std::vector<Numbers*> exchanged()
    {
        std::vector<Numbers*> all;
        for (auto* const of : {&m_sentTo, &m_takenFrom}) {
            for (Numbers& numbers : *of)
                all.push_back(&numbers);
        }
        return all;
    }

    void sendNext()
    {
        const std::uint64_t what = m_seen.value() % 5;
        if (what == 0)
            note(static_cast<std::uint64_t>(
                m_faults.forgetsTime ? ++m_clock : m_end->decide(ValueKind::Clock, [this] {
                    return ++m_clock;
                })));
        if (what == 1) {
            m_end->progress();
            const Arrival* const seen = m_end->look({.context = context});
            note(seen == nullptr ? 99 : static_cast<std::uint64_t>(seen->head.source));
        }
        const auto to = static_cast<WorldRank>((m_end->me() + m_sent) % m_end->ranks());
        const std::string bytes = payloadOf(m_seen.value(), m_seen.value() % 3 == 0 ? 100'000 : 40);
        m_sentTo[to].push_back(m_seen.value());
        Sending sending{.data = bytes.data(), .bytes = bytes.size()};
        m_end->send(to, {context, static_cast<std::int32_t>(m_end->me()), 3}, SendMode::Standard,
                    sending);
        m_sent += 1;
    }

    void receiveNext()
    {
        m_buffer.assign(200'000, '\0');
        m_receiving = {.buffer = m_buffer.data(), .capacity = m_buffer.size()};
        // Of each round one from each rank, in any order.
        m_end->receive({.context = context, .source = Pattern::any, .tag = anyTag}, m_receiving);
        m_waits = true;
        lookAtReceive();
    }

    void lookAtReceive()
    {
        if (!m_receiving.done)
            return;
        m_waits = false;
        m_taken += 1;
        std::uint64_t seed = 0;
        std::memcpy(&seed, m_buffer.data(), sizeof seed);
        m_takenFrom[static_cast<std::size_t>(m_receiving.envelope.source)].push_back(seed);
        note(seed);
        note(static_cast<std::uint64_t>(m_receiving.envelope.source));
        note(m_receiving.bytes);
        m_whole = m_whole
            && payloadOf(seed, m_receiving.bytes) == m_buffer.substr(0, m_receiving.bytes);
    }

    void note(std::uint64_t number)
    {
        m_seen.add(number);
        m_history.push_back(number);
    }

public:
    [[nodiscard]] bool isWhole() const { return m_whole; }
    /// What it has sent to each rank, and taken from each.
    [[nodiscard]] const std::vector<std::uint64_t>& sentTo(WorldRank to) const
    {
        return m_sentTo[to];
    }
    [[nodiscard]] const std::vector<std::uint64_t>& takenFrom(WorldRank from) const
    {
        return m_takenFrom[from];
    }

private:
    std::uint64_t m_rounds;
    std::int64_t& m_clock;
    Points& m_points;
    Faults m_faults;
    std::unique_ptr<Endpoint> m_end;
    std::uint64_t m_round = 0;
    std::uint64_t m_sent = 0;
    std::uint64_t m_taken = 0;
    bool m_waits = false;
    bool m_wasAtPoint = false; ///< of this round
    bool m_awaitsPoint = false;
    std::string m_buffer;
    Receiving m_receiving;
    Digest m_seen;
    std::vector<std::uint64_t> m_history;
    bool m_whole = true;
    std::vector<std::vector<std::uint64_t>> m_sentTo;
    std::vector<std::vector<std::uint64_t>> m_takenFrom;
    std::string m_differs;
    std::string m_ended;
};

struct Course {
    std::uint32_t ranks = 3;
    std::uint64_t rounds = 4;
    std::uint64_t logBytes = 4U << 20U;
    int killsInAHundred = 3; ///< steps
    bool points = false;
    int mostKills = 12;
};

/// A world whose ranks are killed at random.
class World {
public:
    World(const Course& course, unsigned seed, Faults faults = {})
        : m_course(course),
          m_random(seed),
          m_faults(faults),
          m_made(Segment::create({.ranks = course.ranks, .logBytes = course.logBytes})),
          m_seen(course.ranks)
    {
        if (!m_made)
            qFatal("%s", m_made.error().text().c_str());
        if (course.points)
            m_points.chance = &m_random;
        for (WorldRank rank = 0; rank < course.ranks; ++rank)
            m_programs.push_back(begin(rank));
    }

    /// @return what went wrong; empty: nothing did
    std::string run()
    {
        for (int step = 0; step < 200'000; ++step) {
            const WorldRank rank = below(m_course.ranks);
            if (static_cast<int>(below(100)) < m_course.killsInAHundred
                && m_kills < m_course.mostKills)
                kill(rank);
            m_programs[rank]->step();
            if (!m_programs[rank]->differs().empty())
                return m_programs[rank]->differs();
            if (!m_programs[rank]->ended().empty())
                return {}; // the next loss takes the world back
            if (std::ranges::all_of(m_programs, [](const auto& one) { return one->isOver(); }))
                return check();
        }
        return "hangs";
    }
    /// @return why messages are not kept any more; empty: they are
    [[nodiscard]] std::string ended() const
    {
        for (const auto& program : m_programs) {
            if (!program->ended().empty())
                return program->ended();
        }
        return {};
    }
    [[nodiscard]] int kills() const { return m_kills; }
    [[nodiscard]] int replayed() const { return m_replayed; }
    [[nodiscard]] const Points& points() const { return m_points; }

private:
    std::unique_ptr<Program> begin(WorldRank rank)
    {
        return std::make_unique<Program>(*m_made, rank, m_course.rounds, m_clock, m_points,
                                         m_faults);
    }
    std::uint32_t below(std::uint32_t limit)
    {
        return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(m_random);
    }

    /// It, and sometimes a second one at once, the latter in the middle of what it does.
    void kill(WorldRank rank)
    {
        for (int many = below(4) == 0 ? 2 : 1; many > 0; --many, rank = below(m_course.ranks)) {
            remember(rank);
            m_programs[rank] = nullptr;
            m_programs[rank] = begin(rank);
            ++m_kills;
            m_replayed += m_programs[rank]->replays() ? 1 : 0;
        }
    }

    /// The longest that any life of a rank has seen.
    void remember(WorldRank rank)
    {
        const auto& history = m_programs[rank]->history();
        if (history.size() > m_seen[rank].size())
            m_seen[rank] = history;
    }

    std::string check()
    {
        for (WorldRank rank = 0; rank < m_course.ranks; ++rank) {
            const auto& last = m_programs[rank]->history();
            if (!m_programs[rank]->isWhole())
                return "a message is damaged";
            // What a life that was killed had seen is what the last one has seen, too.
            if (last.size() < m_seen[rank].size()
                || !std::equal(m_seen[rank].begin(), m_seen[rank].end(), last.begin()))
                return "a life has seen something else than the one before";
        }
        return {};
    }

    Course m_course;
    std::mt19937 m_random;
    Faults m_faults;
    std::int64_t m_clock = 1'000'000;
    Points m_points;
    Result<Segment> m_made;
    std::vector<std::unique_ptr<Program>> m_programs;
    std::vector<std::vector<std::uint64_t>> m_seen;
    int m_kills = 0;
    int m_replayed = 0;
};

inline unsigned courses()
{
    const char* const wanted = std::getenv("TASUKI_TAKEOVER_COURSES");
    return wanted == nullptr ? 100 : static_cast<unsigned>(std::atoi(wanted));
}

} // namespace tasuki::world::takeover
