// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include "collective.h"
#include "decided.h"
#include "files.h"
#include "fortrannumbers.h"
#include "isolation.h"
#include "real.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace tasuki::world {

namespace {

/// The call that is under way on this thread.
thread_local const char* callName = "MPI";

/// Made by MPI_Init, gone with MPI_Finalize: MPI is one for the whole process.
std::unique_ptr<Program> theProgram;

std::optional<WorldRank> rankOf(const char* text)
{
    char* end = nullptr;
    const unsigned long number = std::strtoul(text, &end, 10);
    if (end == text || *end != 0 || number >= Segment::mostRanks)
        return std::nullopt;
    return static_cast<WorldRank>(number);
}

/// MPI_ERROR is left as it is: only calls that end several requests set it.
void setStatus(MPI_Status* status, int source, int tag, std::uint64_t bytes, bool cancelled)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    status->_cancelled = cancelled ? 1 : 0;
    status->_ucount = static_cast<std::size_t>(bytes);
}

} // namespace

Request::Request() = default;

Request::~Request()
{
    forgetFortranNumber(fortran[0]);
    if (!ownType)
        return;
    forgetShape(type); // another one may get its address
    real::Type_free(&type);
}

TakenMessage::~TakenMessage() { forgetFortranNumber(fortran[0]); }

bool Request::isDone() const
{
    if (!active)
        return true;
    switch (kind) {
    case Kind::Nothing: return true;
    case Kind::Send: return sending.done;
    case Kind::Receive: return receiving.done;
    case Kind::Collective: return collective->isDone();
    case Kind::General: return completed;
    }
    return true;
}

namespace {

/// This process is the rank.
/// @return what is wrong; empty: nothing
std::string beginLife(Segment& segment, WorldRank me)
{
    if (const Result<void> alive = segment.live(me); !alive)
        return alive.error().text();
    const char* const number = std::getenv("TASUKI_WORLD_LIFE");
    const auto life = static_cast<std::uint32_t>(
        number == nullptr ? 1 : std::strtoul(number, nullptr, 10));
    ProgramStatus& shown = segment.status(me);
    shown.signBy.store(0); // the life before has promised it
    shown.signEvery.store(0);
    const std::uint32_t before = shown.life.exchange(life);
    if (segment.layout().logBytes != 0 && before == life)
        return "the command of a rank runs a second MPI program, and what the first one has sent is "
               "kept; write deterministic = false into world = { ... }";
    return {};
}

/// The agent begins the world again.
[[noreturn]] void endAsDifferent(WorldRank me, const std::string& what)
{
    std::fprintf(stderr, "tasuki-world: rank %u cannot go on where it was lost: %s\n", me,
                 what.c_str());
    ::_exit(1);
}

void tellEnded(const std::string& why)
{
    std::fprintf(stderr,
                 "tasuki-world: %s: from now on the loss of a rank takes the world back to its "
                 "start\n",
                 why.c_str());
}

} // namespace

std::string Program::join(int threads)
{
    const char* const path = std::getenv("TASUKI_WORLD");
    const char* const number = std::getenv("TASUKI_WORLD_RANK");
    if (path == nullptr || number == nullptr)
        return "TASUKI_WORLD and TASUKI_WORLD_RANK are not both set";
    const auto me = rankOf(number);
    if (!me)
        return std::string("TASUKI_WORLD_RANK='") + number + "' is no rank";
    const decided::Inside inside;
    decided::Early early = decided::takeEarly();
    auto segment = early.segment ? Result<Segment>(std::move(*early.segment)) : Segment::open(path);
    if (!segment)
        return segment.error().text();
    if (*me >= segment->layout().ranks)
        return "TASUKI_WORLD_RANK is not below the number of ranks";
    if (const std::string wrong = beginLife(*segment, *me); !wrong.empty())
        return wrong;
    isolateOpenMpi();
    int provided = 0;
    const PipesMayBreak pipes;
    {
        const WithoutHwlocPlugins plugins;
        if (real::Init_thread(nullptr, nullptr, threads, &provided) != MPI_SUCCESS)
            return "Open MPI cannot be initialised for one process";
    }
    // Where the kernel lets only parents look into a process.
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    Endpoint::Options options;
    long here = 0;
    for (WorldRank rank = 0; rank < segment->layout().ranks; ++rank)
        here += segment->isRemote(rank) ? 0 : 1;
    if (here > ::sysconf(_SC_NPROCESSORS_ONLN))
        options.spin = std::chrono::microseconds(0);
    if (threads == MPI_THREAD_MULTIPLE)
        options.longestSleep = std::chrono::milliseconds(1);
    // What this process starts is no rank.
    ::unsetenv("TASUKI_WORLD");
    ::unsetenv("TASUKI_WORLD_RANK");
    ::unsetenv("TASUKI_WORLD_LIFE");
    options.log = {.differs = [me = *me](const std::string& what) { endAsDifferent(me, what); },
                   .ended = tellEnded};
    theProgram.reset(new Program(std::move(*segment), *me, std::move(options),
                                 std::min(threads, provided), early.values));
    if (!early.whole)
        theProgram->m_endpoint.endKeeping("a rank asks for too many times before MPI_Init");
    theProgram->makeWorlds();
    return {};
}

/// Two threads at once: which one comes first is not noted.
void Program::beginCall(const char* name)
{
    callName = name;
    m_endpoint.beginCall();
    if (m_threads == MPI_THREAD_MULTIPLE && !decided::isNotedThread())
        m_endpoint.endKeeping("several threads of a rank call MPI, in any order");
}

Program* Program::current() { return theProgram.get(); }

Program::Program(Segment segment, WorldRank me, Endpoint::Options options, int threads,
                 std::span<const Determinants::Value> early)
    : m_threads(threads), m_endpoint(std::move(segment), me, std::move(options), early)
{}

bool Program::isBusy()
{
    if (hasToSweep())
        sweep();
    return !m_collectives.empty() || !m_buffered.empty() || !m_dropped.empty();
}

void Program::makeWorlds()
{
    Group all;
    for (WorldRank rank = 0; rank < m_endpoint.ranks(); ++rank)
        all.members.push_back(rank);
    const auto add = [this](MPI_Comm handle, std::uint64_t context, Group group, int rank) {
        auto communicator = std::make_shared<Communicator>();
        communicator->handle = handle;
        communicator->context = context;
        communicator->group = std::make_shared<const Group>(std::move(group));
        communicator->rank = rank;
        m_communicators.add(std::move(communicator));
    };
    add(MPI_COMM_SELF, 4, Group{{me()}}, 0);
    add(MPI_COMM_WORLD, 0, std::move(all), static_cast<int>(me()));
}

void Program::leave()
{
    if (!theProgram)
        return;
    const decided::Inside inside;
    theProgram->waitForBuffered();
    theProgram->wait([] { return theProgram->m_endpoint.isFlushed(); });
    theProgram->m_dropped.clear();
    theProgram->releaseFreed();
    const PipesMayBreak pipes;
    // Its attributes' functions may still call MPI.
    real::Finalize();
    theProgram->m_endpoint.end();
    decided::leave();
    theProgram.reset();
}

// ---- point to point

void Program::launchSend(Request& request)
{
    request.sending = {};
    if (request.peer == MPI_PROC_NULL) {
        request.sending.done = true;
        return;
    }
    request.packed = Packed::ofData(request.buffer, request.count, request.type);
    request.sending.data = request.packed.bytes();
    request.sending.bytes = request.packed.size();
    const WorldRank to =
        request.communicator->peers().members[static_cast<std::size_t>(request.peer)];
    const Envelope envelope{request.context, request.communicator->rank, request.tag};
    if (request.mode == Request::Mode::Buffered) {
        Buffered kept{.copy = std::make_unique_for_overwrite<std::byte[]>(
                          std::max<std::size_t>(1, request.packed.size())),
                      .sending = std::make_unique<Sending>()};
        if (request.packed.size() != 0)
            std::memcpy(kept.copy.get(), request.packed.bytes(), request.packed.size());
        kept.sending->data = kept.copy.get();
        kept.sending->bytes = request.packed.size();
        m_endpoint.send(to, envelope, SendMode::Standard, *kept.sending);
        m_buffered.push_back(std::move(kept));
        request.sending.done = true;
        return;
    }
    m_endpoint.send(to, envelope,
                    request.mode == Request::Mode::Synchronous ? SendMode::Synchronous
                                                               : SendMode::Standard,
                    request.sending);
}

namespace {

std::unique_ptr<Request> makeRequest(Request::Kind kind, const SharedCommunicator& communicator,
                                     std::uint64_t context, const void* buffer, std::size_t count,
                                     MPI_Datatype type, int peer, int tag)
{
    auto request = std::make_unique<Request>();
    request->kind = kind;
    request->communicator = communicator;
    request->context = context;
    request->peer = peer;
    request->tag = tag;
    request->buffer = buffer;
    request->count = count;
    request->type = type;
    return request;
}

} // namespace

std::unique_ptr<Request> Program::beginSend(const SharedCommunicator& communicator,
                                            std::uint64_t context, Request::Mode mode,
                                            const void* buffer, std::size_t count,
                                            MPI_Datatype type, int peer, int tag)
{
    auto request = makeRequest(Request::Kind::Send, communicator, context, buffer, count, type,
                               peer, tag);
    request->mode = mode;
    launchSend(*request);
    return request;
}

std::unique_ptr<Request> Program::beginReceive(const SharedCommunicator& communicator,
                                               std::uint64_t context, void* buffer,
                                               std::size_t count, MPI_Datatype type, int peer,
                                               int tag)
{
    auto request = makeRequest(Request::Kind::Receive, communicator, context, buffer, count, type,
                               peer, tag);
    start(*request);
    return request;
}

std::unique_ptr<Request> Program::beginTaken(TakenMessage& message, void* buffer, std::size_t count,
                                             MPI_Datatype type)
{
    const MessageHead& head = message.arrival.head;
    auto request = makeRequest(Request::Kind::Receive, message.communicator, head.context, buffer,
                               count, type, head.source, head.tag);
    request->packed = Packed::room(buffer, count, type);
    request->receiving.buffer = request->packed.bytes();
    request->receiving.capacity = request->packed.size();
    m_endpoint.receive(std::move(message.arrival), request->receiving);
    return request;
}

void Program::start(Request& request)
{
    request.active = true;
    request.cancelled = false;
    if (request.kind == Request::Kind::Send)
        return launchSend(request);
    request.receiving = {};
    if (request.peer == MPI_PROC_NULL) {
        request.receiving.done = true;
        return;
    }
    request.packed = Packed::room(const_cast<void*>(request.buffer), request.count, request.type);
    request.receiving.buffer = request.packed.bytes();
    request.receiving.capacity = request.packed.size();
    const Pattern pattern{.context = request.context,
                          .source = request.peer == MPI_ANY_SOURCE ? Pattern::any : request.peer,
                          .tag = request.tag == MPI_ANY_TAG ? Pattern::any : request.tag};
    m_endpoint.receive(pattern, request.receiving);
}

int Program::finish(Request& request, MPI_Status* status)
{
    if (!request.active || request.kind == Request::Kind::Nothing) {
        setStatus(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
        return MPI_SUCCESS;
    }
    if (request.persistent)
        request.active = false;
    switch (request.kind) {
    case Request::Kind::Send:
        setStatus(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
        return MPI_SUCCESS;
    case Request::Kind::Receive: {
        if (request.peer == MPI_PROC_NULL) {
            setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
            return MPI_SUCCESS;
        }
        const Receiving& got = request.receiving;
        const std::uint64_t bytes = std::min(got.bytes, got.capacity);
        int code = request.cancelled ? MPI_SUCCESS : request.packed.unpack(bytes);
        if (got.bytes > got.capacity)
            code = MPI_ERR_TRUNCATE;
        setStatus(status, got.envelope.source, got.envelope.tag, bytes, request.cancelled);
        return code;
    }
    case Request::Kind::Collective: {
        const int code = request.collective->error();
        setStatus(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
        return code;
    }
    case Request::Kind::General: {
        MPI_Status own{};
        MPI_Status* const told = status == MPI_STATUS_IGNORE ? &own : status;
        int code = request.query(request.extra, told);
        const int freed = request.release(request.extra);
        return code == MPI_SUCCESS ? freed : code;
    }
    case Request::Kind::Nothing: break;
    }
    return MPI_SUCCESS;
}

// ---- moving on

void Program::sweep()
{
    m_buffered.remove_if([](const Buffered& one) { return one.sending->done; });
    m_dropped.remove_if([this](const std::unique_ptr<Request>& one) {
        if (!one->isDone())
            return false;
        finish(*one, MPI_STATUS_IGNORE);
        return true;
    });
    if (m_collectives.empty())
        releaseFreed();
}

bool Program::keepFreed(MPI_Datatype type)
{
    if (!m_collectives.empty())
        m_freedTypes.push_back(type);
    return !m_collectives.empty();
}

bool Program::keepFreed(MPI_Op op)
{
    if (!m_collectives.empty())
        m_freedOps.push_back(op);
    return !m_collectives.empty();
}

void Program::releaseFreed()
{
    // Attributes' functions may call MPI.
    for (MPI_Datatype type : std::exchange(m_freedTypes, {})) {
        forgetShape(type);
        real::Type_free(&type);
    }
    for (MPI_Op op : std::exchange(m_freedOps, {}))
        real::Op_free(&op);
}

void Program::progress()
{
    m_endpoint.progress();
    for (auto one = m_collectives.begin(); one != m_collectives.end();) {
        Collective& collective = **one++;
        collective.resume(*this);
        if (collective.isDone())
            m_collectives.remove(&collective);
    }
    if (hasToSweep())
        sweep();
}

void Program::wait(const std::function<bool()>& holds)
{
    m_endpoint.wait(
        callName,
        [&] {
            if (holds())
                return true;
            bool moved = false;
            for (auto one = m_collectives.begin(); one != m_collectives.end();) {
                Collective& collective = **one++;
                moved = collective.resume(*this) || moved;
                if (collective.isDone())
                    m_collectives.remove(&collective);
            }
            return moved && holds();
        },
        [this] { m_mutex.unlock(); }, [this] { m_mutex.lock(); });
    if (hasToSweep())
        sweep();
}

void Program::drop(std::unique_ptr<Request> request)
{
    if (!request->isDone())
        m_dropped.push_back(std::move(request));
    else
        finish(*request, MPI_STATUS_IGNORE);
}

void Program::waitForBuffered()
{
    wait([this] {
        return std::ranges::all_of(m_buffered,
                                   [](const Buffered& one) { return one.sending->done; });
    });
    m_buffered.clear();
}

bool Program::hasRoom(std::uint64_t bytes) const
{
    std::uint64_t used = 0;
    for (const Buffered& one : m_buffered)
        if (!one.sending->done)
            used += one.sending->bytes + MPI_BSEND_OVERHEAD;
    return hasBuffer
        && used + bytes + MPI_BSEND_OVERHEAD <= static_cast<std::uint64_t>(attachedBytes);
}

namespace {

/// Whether the user has left the handler that ends the program.
template <class Handle, class Get>
bool isFatal(Handle handle, Get getHandler)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (getHandler(handle, &handler) != MPI_SUCCESS)
        return true;
    const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
    real::Errhandler_free(&handler);
    return fatal;
}

[[noreturn]] void endWith(int code)
{
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    real::Error_string(code, text.data(), &length);
    std::fflush(nullptr);
    std::fprintf(stderr, "tasuki-world: error: rank %u: %s: %s\n",
                 theProgram ? theProgram->me() : 0, callName, text.data());
    ::_exit(1);
}

} // namespace

int fail(MPI_Comm communicator, int code)
{
    if (isFatal(communicator, real::Comm_get_errhandler))
        endWith(code);
    real::Comm_call_errhandler(communicator, code);
    return code;
}

int failFile(MPI_File file, int code)
{
    if (isFatal(file, real::File_get_errhandler))
        endWith(code);
    // Open MPI calls none for what is no file yet.
    if (file != MPI_FILE_NULL)
        real::File_call_errhandler(file, code);
    return code;
}

// ---- collective operations

bool Collective::resume(Program& program)
{
    bool moved = false;
    while (!m_handle.done()) {
        promise_type& promise = m_handle.promise();
        if (promise.part) {
            moved = promise.part->resume(program) || moved;
            if (!promise.part->isDone())
                return moved;
            if (const int code = promise.part->error(); code != MPI_SUCCESS)
                promise.error = code;
            promise.part.reset();
        }
        for (const auto& request : promise.waits)
            if (!request->isDone())
                return moved;
        for (const auto& request : std::exchange(promise.waits, {}))
            if (const int code = program.finish(*request, MPI_STATUS_IGNORE); code != MPI_SUCCESS)
                promise.error = code;
        m_handle.resume();
        moved = true;
    }
    return moved;
}

Exchange::Exchange(Program& program, SharedCommunicator communicator)
    : m_program(program), m_communicator(std::move(communicator))
{
    constexpr std::uint32_t tags = 1U << 30U;
    m_tag = static_cast<int>(m_communicator->operations++ % tags);
}

std::unique_ptr<Request> Exchange::send(int to, const void* buffer, std::size_t count,
                                        MPI_Datatype type) const
{
    return m_program.beginSend(m_communicator, m_communicator->context + 1, Request::Mode::Standard,
                               buffer, count, type, to, m_tag);
}

std::unique_ptr<Request> Exchange::receive(int from, void* buffer, std::size_t count,
                                           MPI_Datatype type) const
{
    return m_program.beginReceive(m_communicator, m_communicator->context + 1, buffer, count, type,
                                  from, m_tag);
}

} // namespace tasuki::world
