// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracedrun.h"

#include "complaint.h"
#include "logcollection.h"
#include "logfile.h"
#include "real.h"

#include <climits>
#include <cstdlib>
#include <exception>
#include <string>
#include <unistd.h>

namespace tasuki::tracer {

namespace {

/// The one of this process. Left alone at exit, when other threads may still run.
constinit TracedRun* theRun = nullptr;

int rankOf(MPI_Comm communicator)
{
    int rank = 0;
    real::Comm_rank(communicator, &rank);
    return rank;
}

std::string workingDirectory()
{
    std::array<char, PATH_MAX> path{};
    return getcwd(path.data(), path.size()) != nullptr ? path.data() : ".";
}

std::string spillDirectory()
{
    const char* named = std::getenv("TMPDIR");
    return named != nullptr && *named != '\0' ? named : "/tmp";
}

/// @return the same on all ranks: whether it is true on all
bool onAll(MPI_Comm communicator, bool value)
{
    const int own = value ? 1 : 0;
    int all = 0;
    real::Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, communicator);
    return all != 0;
}

/// MPI_Finalize ends where all have come; what follows is not the program's. Where nothing is logged any
/// more, it is not either, and that state ends with the log.
void logFinalize(Tracer& tracer, MPI_Comm own)
{
    const bool logged = tracer.logging();
    if (logged) {
        const std::int64_t beginNs = tracer.startCall();
        tracer.record({.timeNs = beginNs, .kind = RecordKind::Begin, .state = State::Finalize});
    }
    real::Barrier(own);
    if (logged)
        tracer.record({.timeNs = nowNs(), .kind = RecordKind::End, .state = State::Finalize});
    else
        tracer.setLogging(true);
}

/// Processes of MPI_Comm_spawn have an MPI_COMM_WORLD of their own, and the file of their parents.
bool wasSpawned()
{
    MPI_Comm parent = MPI_COMM_NULL;
    real::Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

} // namespace

TracedRun::~TracedRun()
{
    setActiveTracer(nullptr);
    m_tracer.reset();
    if (m_own != MPI_COMM_NULL)
        real::Comm_free(&m_own);
}

/// Rank 0 reads the environment and looks whether there can be a file.
TracedRun::Orders TracedRun::givenOrders(MPI_Comm own, Settings& settings)
{
    Orders orders;
    if (rankOf(own) == 0) {
        settings = readSettings([](const char* name) { return std::getenv(name); },
                                workingDirectory());
        for (const std::string& complaint : settings.complaints)
            complain(complaint);
        orders.memoryMiB = settings.memoryMiB;
        orders.measureAllClocks = settings.measureAllClocks ? 1 : 0;
        if (wasSpawned())
            complain("processes that MPI_Comm_spawn has started are not traced");
        else if (auto possible = LogFile::probe(settings.file); !possible)
            complain(possible.error().message + "; this run is not traced");
        else
            orders.traced = 1;
    }
    real::Bcast(&orders, static_cast<int>(sizeof orders), MPI_BYTE, 0, own);
    return orders;
}

/// @return whether this process can be traced; the same on all ranks
bool TracedRun::prepare()
{
    real::Comm_dup(MPI_COMM_WORLD, &m_own);
    real::Comm_set_errhandler(m_own, MPI_ERRORS_RETURN);
    const Orders orders = givenOrders(m_own, m_settings);
    if (orders.traced == 0)
        return false;
    int threads = MPI_THREAD_SINGLE;
    real::Query_thread(&threads);
    try {
        m_tracer.emplace(Tracer::Options{.memoryMiB = orders.memoryMiB,
                                         .spillDirectory = spillDirectory(),
                                         .severalThreads = threads == MPI_THREAD_MULTIPLE});
    } catch (const std::exception& error) {
        complain(std::string{"this run is not traced: "} + error.what());
    }
    if (!onAll(m_own, m_tracer.has_value()))
        return false;
    m_clockGroups = findClockGroups(m_own, orders.measureAllClocks != 0);
    m_firstOffsets = measureClocks(m_own, m_clockGroups);
    return true;
}

/// What has been done here counts as MPI_Init, which ends on all ranks at once.
void TracedRun::logInit(std::int64_t beginNs)
{
    m_tracer->record({.timeNs = beginNs, .kind = RecordKind::Begin, .state = State::Init});
    real::Barrier(m_own);
    m_tracer->record({.timeNs = nowNs(), .kind = RecordKind::End, .state = State::Init});
}

void TracedRun::start(std::int64_t beginNs)
{
    try {
        std::unique_ptr<TracedRun> run{new TracedRun};
        run->m_process = getpid();
        if (!run->prepare())
            return;
        run->logInit(beginNs);
        setActiveTracer(&*run->m_tracer);
        theRun = run.release();
    } catch (const std::exception& error) {
        complain(std::string{"this run is not traced: "} + error.what());
    }
}

void TracedRun::finish()
{
    const std::unique_ptr<TracedRun> run{theRun};
    theRun = nullptr;
    if (!run)
        return;
    Tracer& tracer = *run->m_tracer;
    setActiveTracer(nullptr);
    try {
        logFinalize(tracer, run->m_own);
        run->collect();
    } catch (const std::exception& error) {
        complain(std::string{"there is no trace of this run: "} + error.what());
    }
}

void TracedRun::collect()
{
    const std::vector<ClockOffset> last = measureClocks(m_own, m_clockGroups);
    CollectionPlan plan{.file = m_settings.file,
                        .clocks = {},
                        .clockGroups = m_clockGroups,
                        .verbose = m_settings.verbose};
    for (std::size_t i = 0; i < last.size(); ++i) {
        plan.clocks.push_back(m_clockGroups[i] == 0 ? ClockLine{}
                                                    : ClockLine{m_firstOffsets[i], last[i]});
    }
    collectLog(m_own, *m_tracer, plan);
}

void TracedRun::abandon(const char* how) noexcept
{
    if (theRun == nullptr || theRun->m_process != getpid())
        return;
    Tracer& tracer = *theRun->m_tracer;
    theRun = nullptr;
    setActiveTracer(nullptr);
    try {
        complain("rank " + std::to_string(tracer.communicators().worldRank()) + " " + how
                 + " before MPI_Finalize; there is no trace of this run, and its "
                 + std::to_string(tracer.summary().events) + " events are lost");
    } catch (...) {
        complain("there is no trace of this run");
    }
}

} // namespace tasuki::tracer
