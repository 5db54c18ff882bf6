// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracedrun.h"

#include "complaint.h"
#include "endwatch.h"
#include "logcollection.h"
#include "logfile.h"
#include "mpiuser.h"
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
constinit EndWatch theWatch;
constinit bool initialised = false;

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

Settings ownSettings()
{
    return readSettings([](const char* name) { return std::getenv(name); }, workingDirectory());
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
TracedRun::Orders TracedRun::givenOrders()
{
    Orders orders;
    if (rankOf(m_own) == 0) {
        m_settings = ownSettings();
        for (const std::string& complaint : m_settings.complaints)
            complain(complaint);
        orders.memoryMiB = m_settings.memoryMiB;
        orders.measureAllClocks = m_settings.measureAllClocks ? 1 : 0;
        if (wasSpawned())
            complain("processes that MPI_Comm_spawn has started are not traced");
        else if (auto possible = LogFile::probe(m_settings.file); !possible)
            complain(possible.error().message + "; this run is not traced");
        else
            orders.traced = 1;
    }
    if (orders.traced != 0) {
        m_settings.file = LogFile::followed(m_settings.file);
        if (auto aside = LogFile::putAside(m_settings.file); aside)
            m_earlier = *aside;
        else
            complain(aside.error().message);
    }
    real::Bcast(&orders, static_cast<int>(sizeof orders), MPI_BYTE, 0, m_own);
    return orders;
}

/// The trace of this run has come in place of it.
void TracedRun::forgetEarlier()
{
    if (m_earlier.empty())
        return;
    if (access(m_settings.file.c_str(), F_OK) == 0)
        unlink(m_earlier.c_str());
    else
        complain("the trace of an earlier run is now '" + m_earlier + "'");
}

/// @param how  "ended", ...
std::string TracedRun::lossText(const std::string& how)
{
    const std::string earlier = m_earlier.empty()
        ? ""
        : "; that of an earlier run is now '" + m_earlier + "'";
    return "rank " + std::to_string(m_tracer->communicators().worldRank()) + " " + how
        + " before MPI_Finalize; there is no trace of this run" + earlier;
}

/// @return whether this process can be traced; the same on all ranks
bool TracedRun::prepare()
{
    real::Comm_dup(MPI_COMM_WORLD, &m_own);
    real::Comm_set_errhandler(m_own, MPI_ERRORS_RETURN);
    const Orders orders = givenOrders();
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

void TracedRun::watch() noexcept
{
    initialised = true;
    if (!isLaunchedFirst() || theRun != nullptr)
        return;
    theWatch.start();
    theWatch.say("rank 0 ended in MPI_Init; there is no trace of this run");
}

void TracedRun::start(std::int64_t beginNs)
{
    try {
        std::unique_ptr<TracedRun> run{new TracedRun};
        run->m_process = getpid();
        if (!run->prepare())
            return theWatch.over();
        if (rankOf(run->m_own) == 0)
            theWatch.say(run->lossText("was ended or killed"));
        else
            theWatch.over();
        run->logInit(beginNs);
        setActiveTracer(&*run->m_tracer);
        theRun = run.release();
    } catch (const std::exception& error) {
        theWatch.over();
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
        run->forgetEarlier();
    } catch (const std::exception& error) {
        complain(std::string{"there is no trace of this run: "} + error.what());
    }
    theWatch.over();
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
    TracedRun& run = *theRun;
    theRun = nullptr;
    setActiveTracer(nullptr);
    theWatch.over();
    try {
        complain(run.lossText(how) + "; its " + std::to_string(run.m_tracer->summary().events)
                 + " events are lost");
    } catch (...) {
        complain("there is no trace of this run");
    }
}

void TracedRun::tellWithoutInit() noexcept
{
    if (initialised || !isLaunchedFirst() || !usesMpi())
        return;
    try {
        const Settings settings = ownSettings();
        const bool isThere = access(settings.file.c_str(), F_OK) == 0;
        complain("rank 0 ended without MPI_Init; there is no trace of it"
                 + (isThere ? ", '" + settings.file + "' is of an earlier run" : ""));
    } catch (...) {
        complain("rank 0 ended without MPI_Init; there is no trace of it");
    }
}

} // namespace tasuki::tracer
