// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ranks that are killed and begin again, beside the same ranks that are not: in one process, one step of one rank at a time.
#include <QTest>

#include "world/endpoint.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tst_worldtakeover {

using namespace tasuki;
using namespace tasuki::world;

namespace {

constexpr std::uint64_t context = 7;
constexpr int anyTag = Pattern::any;

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

std::string payloadOf(std::uint64_t seed, std::size_t size)
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
};

/// A program: in each round it sends to some ranks, receives from any rank as many as are meant for it, tests and asks for the
/// time, in an order that follows from what it has seen so far. It is written as single steps, between which it can be killed.
class Program {
public:
    Program(const Segment& made, WorldRank me, std::uint64_t rounds, std::int64_t& clock,
            Faults faults = {})
        : m_rounds(rounds), m_clock(clock), m_faults(faults)
    {
        auto segment = Segment::open(made.path());
        if (!segment)
            qFatal("%s", segment.error().text().c_str());
        Endpoint::Options options;
        options.log.differs = [this](const std::string& what) { m_differs = what; };
        options.log.ended = [this](const std::string& why) { m_ended = why; };
        m_end = std::make_unique<Endpoint>(std::move(*segment), me, options);
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
        m_end->beginCall();
        if (m_sent < m_end->ranks())
            return sendNext();
        if (m_taken < m_end->ranks())
            return receiveNext();
        m_round += 1;
        m_sent = m_taken = 0;
    }

private:
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

private:
    std::uint64_t m_rounds;
    std::int64_t& m_clock;
    Faults m_faults;
    std::unique_ptr<Endpoint> m_end;
    std::uint64_t m_round = 0;
    std::uint64_t m_sent = 0;
    std::uint64_t m_taken = 0;
    bool m_waits = false;
    std::string m_buffer;
    Receiving m_receiving;
    Digest m_seen;
    std::vector<std::uint64_t> m_history;
    bool m_whole = true;
    std::string m_differs;
    std::string m_ended;
};

struct Course {
    std::uint32_t ranks = 3;
    std::uint64_t rounds = 4;
    std::uint64_t logBytes = 4U << 20U;
    int killsInAHundred = 3; ///< steps
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
        for (WorldRank rank = 0; rank < course.ranks; ++rank)
            m_programs.push_back(begin(rank));
    }

    /// @return what went wrong; empty: nothing did
    std::string run()
    {
        for (int step = 0; step < 200'000; ++step) {
            const WorldRank rank = below(m_course.ranks);
            if (static_cast<int>(below(100)) < m_course.killsInAHundred && m_kills < 12)
                kill(rank);
            m_programs[rank]->step();
            if (!m_programs[rank]->differs().empty())
                return m_programs[rank]->differs();
            if (std::ranges::all_of(m_programs, [](const auto& one) { return one->isOver(); }))
                return check();
        }
        return "hangs";
    }
    [[nodiscard]] int kills() const { return m_kills; }
    [[nodiscard]] int replayed() const { return m_replayed; }

private:
    std::unique_ptr<Program> begin(WorldRank rank)
    {
        return std::make_unique<Program>(*m_made, rank, m_course.rounds, m_clock, m_faults);
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
    Result<Segment> m_made;
    std::vector<std::unique_ptr<Program>> m_programs;
    std::vector<std::vector<std::uint64_t>> m_seen;
    int m_kills = 0;
    int m_replayed = 0;
};

unsigned courses()
{
    const char* const wanted = std::getenv("TASUKI_TAKEOVER_COURSES");
    return wanted == nullptr ? 100 : static_cast<unsigned>(std::atoi(wanted));
}

} // namespace

/// What breaks it: a life that is given something else than the one before, a message that is lost or comes twice, a difference
/// that nobody sees.
class TestWorldTakeover : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void streams();
    void streamIsFull();
    void determinants();
    void lives();
    void differenceIsSeen();
    void flippedBitIsSeen();
    void logEnds();
};

// Fails if a writer's next life does not find what the last one has published, or a reader sees half a record.
void TestWorldTakeover::streams()
{
    auto segment = Segment::create({.ranks = 2, .logBytes = 1U << 20U});
    QVERIFY(segment);
    const std::string first(100'000, 'a');
    const std::string second = "second";
    const auto part = [](const std::string& text) {
        return std::array{StreamWriter::Part{text.data(), text.size()}};
    };
    {
        StreamWriter writer(segment->log(0), segment->stream(0, 1));
        QVERIFY(writer.write(part(first)) == StreamWriter::Written::New);
    }
    StreamWriter writer(segment->log(0), segment->stream(0, 1));
    QVERIFY(writer.repeats());
    QVERIFY(writer.write(part(first)) == StreamWriter::Written::Repeated);
    QVERIFY(!writer.repeats());
    QVERIFY(writer.write(part(second)) == StreamWriter::Written::New);
    StreamReader reader(segment->log(0), segment->stream(0, 1));
    QCOMPARE(reader.available(), first.size() + second.size());
    std::string read(first.size(), '\0');
    reader.read(read.data(), read.size());
    QVERIFY(read == first);
    read.resize(second.size());
    reader.read(read.data(), read.size());
    QVERIFY(read == second && reader.available() == 0);

    StreamWriter other(segment->log(0), segment->stream(0, 1));
    QVERIFY(other.write(part(second)) == StreamWriter::Written::Differs);
    StreamWriter longer(segment->log(0), segment->stream(0, 1));
    QVERIFY(longer.write(part(first + first)) == StreamWriter::Written::Differs);
}

// Fails if a record for which there is no room is there in part.
void TestWorldTakeover::streamIsFull()
{
    auto segment = Segment::create({.ranks = 1, .logBytes = 2 * Log::chunkBytes});
    QVERIFY(segment);
    StreamWriter writer(segment->log(0), segment->stream(0, 0));
    const std::string text(Log::chunkBytes, 'x');
    const std::array part{StreamWriter::Part{text.data(), text.size()}};
    QVERIFY(writer.write(part) == StreamWriter::Written::New);
    QVERIFY(writer.write(part) == StreamWriter::Written::Full);
    QCOMPARE(segment->stream(0, 0).written.load(), text.size());
}

// Fails if what was noted comes back as something else.
void TestWorldTakeover::determinants()
{
    auto segment = Segment::create({.ranks = 2, .logBytes = 1U << 20U});
    QVERIFY(segment);
    using Delivery = Determinants::Delivery;
    using Value = Determinants::Value;
    const std::vector<Value> values{{ValueKind::Clock, 1'700'000'000'123'456'789},
                                    {ValueKind::Clock, 1'700'000'000'123'456'790},
                                    {ValueKind::Random, std::numeric_limits<std::int64_t>::min()},
                                    {ValueKind::Random, std::numeric_limits<std::int64_t>::max()},
                                    {ValueKind::Position, -1}};
    const Delivery late{.step = 1'000'000, .from = 1, .bytes = 1U << 30U, .joins = true};
    {
        Determinants noted(segment->log(1), segment->determinants(1));
        QVERIFY(!noted.replays());
        QVERIFY(noted.note(Delivery{.step = 3, .from = 0, .bytes = 56}));
        for (const Value& value : values)
            QVERIFY(noted.note(value));
        QVERIFY(noted.note(late));
    }
    Determinants again(segment->log(1), segment->determinants(1));
    QVERIFY(again.replays() && again.nextValue() == nullptr);
    QVERIFY(*again.nextDelivery() == (Delivery{.step = 3, .from = 0, .bytes = 56}));
    again.pass();
    for (const Value& value : values) {
        QVERIFY(again.nextDelivery() == nullptr && *again.nextValue() == value);
        again.pass();
    }
    QVERIFY(*again.nextDelivery() == late);
    again.pass();
    QVERIFY(!again.replays());
    QVERIFY(again.note(Delivery{.step = 1'000'001, .from = 0, .bytes = 1}));
}

// Fails if a rank that is killed at any step, alone or with another one, does not go on as if nothing had been.
void TestWorldTakeover::lives()
{
    int kills = 0;
    int replayed = 0;
    for (unsigned seed = 1; seed <= courses(); ++seed) {
        World world({.ranks = 1 + seed % 5, .rounds = 2 + seed % 7}, seed);
        const std::string wrong = world.run();
        QVERIFY2(wrong.empty(),
                 qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(wrong.c_str())));
        kills += world.kills();
        replayed += world.replayed();
    }
    qInfo("%u courses, %d killed, %d of them had something to do again", courses(), kills,
          replayed);
    QVERIFY(static_cast<unsigned>(replayed) > courses());
}

// Fails if a program that does something else the second time goes on.
void TestWorldTakeover::differenceIsSeen()
{
    int seen = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        World world({.ranks = 3, .rounds = 8, .killsInAHundred = 2}, seed, {.forgetsTime = true});
        const std::string wrong = world.run();
        QVERIFY2(wrong.empty() || wrong.starts_with("it "), wrong.c_str());
        seen += wrong.empty() ? 0 : 1;
    }
    QVERIFY2(seen > 30, qPrintable(QString::number(seen)));
}

// Fails if what a life sends again is not compared with what was sent.
void TestWorldTakeover::flippedBitIsSeen()
{
    auto segment = Segment::create({.ranks = 2, .logBytes = 1U << 20U});
    QVERIFY(segment);
    std::string bytes = payloadOf(5, 5'000);
    std::string differs;
    for (int life = 1; life <= 3; ++life) {
        auto own = Segment::open(segment->path());
        Endpoint::Options options;
        options.log.differs = [&differs](const std::string& what) { differs = what; };
        Endpoint end(std::move(*own), 0, options);
        if (life == 3)
            bytes[4'321] = static_cast<char>(bytes[4'321] ^ 4);
        Sending sending{.data = bytes.data(), .bytes = bytes.size()};
        end.beginCall();
        end.send(1, {context, 0, 3}, SendMode::Standard, sending);
        QVERIFY(sending.done);
        QCOMPARE(differs.empty(), life != 3);
    }
    QCOMPARE(segment->status(0).differs.load(), 1U);
}

// Fails if a log that is full loses a message, or does not say that it is.
void TestWorldTakeover::logEnds()
{
    auto segment = Segment::create({.ranks = 2, .logBytes = 4 * Log::chunkBytes});
    QVERIFY(segment);
    std::vector<std::string> told;
    std::vector<std::unique_ptr<Endpoint>> ends;
    for (WorldRank rank = 0; rank < 2; ++rank) {
        Endpoint::Options options;
        options.log.ended = [&told](const std::string& why) { told.push_back(why); };
        ends.push_back(
            std::make_unique<Endpoint>(std::move(*Segment::open(segment->path())), rank, options));
    }
    QVERIFY(ends[0]->keeps());
    for (const auto& end : ends)
        end->beginCall();
    std::vector<std::string> sent;
    for (std::uint64_t i = 0; i < 100; ++i) {
        const std::string& bytes = sent.emplace_back(payloadOf(i, 100 * i));
        Sending sending{.data = bytes.data(), .bytes = bytes.size()};
        ends[0]->send(1, {context, 0, 3}, SendMode::Standard, sending);
        std::string buffer(20'000, '\0');
        Receiving receiving{.buffer = buffer.data(), .capacity = buffer.size()};
        ends[1]->receive({.context = context}, receiving);
        for (int look = 0; look < 4 && (!receiving.done || !sending.done); ++look) {
            ends[1]->progress();
            ends[0]->progress();
        }
        QVERIFY2(receiving.done && sending.done, qPrintable(QString::number(i)));
        buffer.resize(receiving.bytes);
        QVERIFY(buffer == bytes);
    }
    QVERIFY(!ends[0]->keeps() && !ends[1]->keeps());
    QVERIFY2(told.size() == 1 && told.front().find("log_mb") != std::string::npos,
             told.front().c_str());
}

} // namespace tst_worldtakeover

using tst_worldtakeover::TestWorldTakeover;
QTEST_APPLESS_MAIN(TestWorldTakeover)
#include "tst_worldtakeover.moc"
