// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpiruntime.h"

#include "leaveguard.h"
#include "mpiwire.h"
#include "singleton.h"

#include <array>
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string_view>
#include <thread>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds patienceTogether{60'000};
constexpr std::chrono::milliseconds patienceAfterLoss{3'000};

/// MPI_Wait would keep a core busy while a slow processor, reading a long list for example,
/// keeps the others waiting.
void waitNapping(MPI_Request request)
{
    constexpr std::chrono::microseconds longestNap{1000};
    std::chrono::microseconds nap{1};
    for (;;) {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0)
            return;
        std::this_thread::sleep_for(nap);
        nap = std::min(nap * 2, longestNap);
    }
}

std::string processorName()
{
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return {name.data(), static_cast<std::size_t>(length)};
}

std::string libraryName()
{
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string_view whole(text.data(), static_cast<std::size_t>(length));
    // "Open MPI v4.1.4, package: ..., ident: ...": the first words tell what matters.
    return std::string(whole.substr(0, whole.find_first_of(",\n")));
}

bool isSet(const char* variable)
{
    const char* text = std::getenv(variable);
    if (text == nullptr)
        return false;
    const std::string_view value(text);
    return !value.empty() && value != "0" && value != "false";
}

} // namespace

MpiRuntime::MpiRuntime() : m_channel(std::make_unique<Channel>()) {}

Result<std::unique_ptr<MpiRuntime>> MpiRuntime::start(int& argc, char**& argv)
{
    int initialized = 0;
    MPI_Initialized(&initialized);
    assert(initialized == 0);
    int provided = MPI_THREAD_SINGLE;
    {
        const Singleton singleton;
        if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
            return Error{ErrorKind::System, "cannot start MPI", "start with mpirun"};
    }
    // After MPI_Init, which may set the signal up for itself.
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    std::unique_ptr<MpiRuntime> runtime(new MpiRuntime);
    if (provided < MPI_THREAD_FUNNELED)
        return Error{ErrorKind::System, "this MPI library does not allow threads",
                     "use one that provides MPI_THREAD_FUNNELED"};
    if (Result<void> joined = runtime->join(); !joined)
        return joined.error();
    return runtime;
}

Result<void> MpiRuntime::join()
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (MPI_Comm_dup(MPI_COMM_WORLD, &m_channel->messages) != MPI_SUCCESS)
        return Error{ErrorKind::System, "MPI cannot make a communicator"};
    MPI_Comm_set_errhandler(m_channel->messages, MPI_ERRORS_RETURN);

    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    m_self = ProcessorId(static_cast<std::uint32_t>(rank));
    m_size = static_cast<std::size_t>(size);
    m_host = processorName();
    m_library = libraryName();
    // Open MPI 4 exports the option to the processes that it starts.
    m_recoveryEnabled = isSet("OMPI_MCA_orte_enable_recovery");
    return {};
}

MpiRuntime::~MpiRuntime()
{
    if (!m_left)
        leave(LeaveMode::AfterLoss, EXIT_FAILURE);
}

bool MpiRuntime::agreeAllReady(bool ready)
{
    assert(!m_left);
    const int mine = ready ? 1 : 0;
    int all = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD, &request);
    waitNapping(request);
    return all != 0;
}

std::string MpiRuntime::broadcast(std::string value, ProcessorId root)
{
    assert(!m_left && value.size() <= std::size_t{std::numeric_limits<int>::max()});
    int length = static_cast<int>(value.size());
    MPI_Request request = MPI_REQUEST_NULL;
    const int from = static_cast<int>(root.value());
    MPI_Ibcast(&length, 1, MPI_INT, from, MPI_COMM_WORLD, &request);
    waitNapping(request);
    value.resize(static_cast<std::size_t>(length));
    MPI_Ibcast(value.data(), length, MPI_BYTE, from, MPI_COMM_WORLD, &request);
    waitNapping(request);
    return value;
}

std::vector<std::string> MpiRuntime::gatherToAll(const std::string& value)
{
    assert(!m_left);
    const int length = static_cast<int>(value.size());
    std::vector<int> lengths(m_size);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
    waitNapping(request);
    std::vector<int> places(m_size);
    std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
    std::string all(static_cast<std::size_t>(places.back() + lengths.back()), '\0');
    MPI_Iallgatherv(value.data(), length, MPI_BYTE, all.data(), lengths.data(), places.data(),
                    MPI_BYTE, MPI_COMM_WORLD, &request);
    waitNapping(request);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < m_size; ++i) {
        values.push_back(
            all.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i])));
    }
    return values;
}

void MpiRuntime::leave(LeaveMode mode, int exitCode)
{
    leave(mode, exitCode, mode == LeaveMode::Together ? patienceTogether : patienceAfterLoss);
}

void MpiRuntime::leave(LeaveMode mode, int exitCode, std::chrono::milliseconds patience)
{
    assert(!m_left);
    m_left = true;
    std::fflush(nullptr);
    // Finalising is tried after a loss too: Open MPI's launcher knows who is dead and lets the
    // living through, while a process that ends without it is taken for one more failure. The
    // guard acts when one is stopped, and sometimes over TCP, where finalising can wait for ever
    // for what a dead peer should have taken.
    const LeaveGuard guard(patience, exitCode);
    if (mode == LeaveMode::Together)
        MPI_Comm_free(&m_channel->messages);
    MPI_Finalize();
}

} // namespace tasuki
