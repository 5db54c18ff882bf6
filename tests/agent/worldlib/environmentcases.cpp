// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <array>
#include <cstring>
#include <string>

namespace worldcases {

namespace {

int heardCode = MPI_SUCCESS;
int heardOften = 0;

void hear(MPI_Comm*, int* code, ...)
{
    heardCode = *code;
    ++heardOften;
}

bool ownHandler()
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(hear, &handler);
    Comm comm;
    MPI_Comm_dup(all, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    Comm copy; // has the same handler
    MPI_Comm_dup(comm, &copy);
    heardOften = 0;
    int value = 0;
    const int code = MPI_Send(&value, 1, MPI_INT, size + 3, 0, comm);
    const bool first = classOf(heardCode) == MPI_ERR_RANK && classOf(code) == MPI_ERR_RANK;
    MPI_Recv(&value, 1, MPI_INT, 0, -9, copy, MPI_STATUS_IGNORE);
    const bool second = classOf(heardCode) == MPI_ERR_TAG;
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    return first && second && heardOften == 3 && classOf(heardCode) == MPI_ERR_OTHER;
}

bool handlersAreKept()
{
    Comm comm;
    tolerant(comm);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(comm, &handler);
    const bool returns = handler == MPI_ERRORS_RETURN;
    MPI_Errhandler_free(&handler);
    MPI_Comm_get_errhandler(all, &handler);
    const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&handler);
    return returns && fatal;
}

bool wrongArguments()
{
    Comm comm;
    tolerant(comm);
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const auto fails = [](int code, int expected) { return classOf(code) == expected; };
    return fails(MPI_Isend(&value, 1, MPI_INT, -7, 0, comm, &request), MPI_ERR_RANK)
        && fails(MPI_Irecv(&value, -1, MPI_INT, 0, 0, comm, &request), MPI_ERR_COUNT)
        && fails(MPI_Recv(&value, 1, MPI_INT, size, 0, comm, MPI_STATUS_IGNORE), MPI_ERR_RANK)
        && fails(MPI_Probe(size, 0, comm, MPI_STATUS_IGNORE), MPI_ERR_RANK)
        && fails(MPI_Reduce(&value, &value + 1, 1, MPI_INT, MPI_SUM, -3, comm), MPI_ERR_ROOT)
        && fails(MPI_Allreduce(&value, &value + 1, 1, MPI_INT, MPI_OP_NULL, comm), MPI_ERR_OP)
        && fails(MPI_Gather(&value, 1, MPI_INT, &value, 1, MPI_INT, size, comm), MPI_ERR_ROOT)
        && request == MPI_REQUEST_NULL;
}

bool wrongGroups()
{
    Comm comm;
    tolerant(comm);
    Group group;
    MPI_Comm_group(comm, &group);
    MPI_Comm made = MPI_COMM_NULL;
    const int beyond = size;
    const int below = -1;
    const auto fails = [](int code, int expected) { return classOf(code) == expected; };
    return fails(MPI_Comm_create_group(comm, group, -1, &made), MPI_ERR_TAG)
        && fails(MPI_Comm_split_type(comm, -77, 0, MPI_INFO_NULL, &made), MPI_ERR_ARG)
        && fails(MPI_Comm_split(comm, -5, 0, &made), MPI_ERR_ARG)
        && fails(MPI_Dist_graph_create_adjacent(comm, 1, &beyond, MPI_UNWEIGHTED, 1, &rank,
                                                MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
                 MPI_ERR_ARG)
        && fails(MPI_Dist_graph_create_adjacent(comm, 1, &rank, &below, 1, &rank, &below,
                                                MPI_INFO_NULL, 0, &made),
                 MPI_ERR_ARG)
        && made == MPI_COMM_NULL;
}

/// Operations of MPI's own that are not for a type: all ranks are told, not only those that have something to combine.
bool wrongOperations()
{
    Comm comm;
    tolerant(comm);
    Type pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    const std::array<double, 2> in{};
    std::array<double, 2> out{};
    const auto fails = [](int code) { return classOf(code) == MPI_ERR_OP; };
    return fails(MPI_Allreduce(in.data(), out.data(), 1, MPI_DOUBLE, MPI_BAND, comm))
        && fails(MPI_Reduce(in.data(), out.data(), 1, MPI_INT, MPI_MAXLOC, 0, comm))
        && fails(MPI_Scan(in.data(), out.data(), 1, pair, MPI_SUM, comm))
        && fails(MPI_Exscan(in.data(), out.data(), 1, MPI_INT, MPI_REPLACE, comm))
        && fails(MPI_Reduce_scatter_block(in.data(), out.data(), 1, MPI_FLOAT, MPI_BOR, comm));
}

/// What does not fit is cut off, told, and does no harm to the next message.
bool cutOff(int sent, int room)
{
    Comm comm;
    tolerant(comm);
    const auto out = numbers(sent, rank);
    std::array<MPI_Request, 2> requests{};
    MPI_Isend(out.data(), sent, MPI_INT, next(), 1, comm, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, next(), 1, comm, &requests[1]);
    std::vector<int> in(static_cast<std::size_t>(room) + 1, -1);
    MPI_Status status;
    const int code = MPI_Recv(in.data(), room, MPI_INT, before(), 1, comm, &status);
    int after = -1;
    MPI_Recv(&after, 1, MPI_INT, before(), 1, comm, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    const bool source = status.MPI_SOURCE == before() && status.MPI_TAG == 1;
    return classOf(code) == MPI_ERR_TRUNCATE && source && in.back() == -1 && after == before();
}

/// A message that is too long, of several: the handler of its communicator is asked, not that of MPI_COMM_WORLD.
template <class End>
bool errorsInStatuses(End end)
{
    Comm comm;
    tolerant(comm);
    std::array<int, 2> in{-1, -1};
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(&in[0], 1, MPI_INT, before(), 0, comm, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, before(), 1, comm, &requests[1]);
    const std::array out{rank, 5};
    MPI_Sendrecv(out.data(), 2, MPI_INT, next(), 0, nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, comm,
                 MPI_STATUS_IGNORE);
    std::array<MPI_Status, 2> statuses{};
    const int code = end(requests.data(), statuses.data());
    MPI_Send(out.data(), 1, MPI_INT, next(), 1, comm);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    return classOf(code) == MPI_ERR_IN_STATUS && classOf(statuses[0].MPI_ERROR) == MPI_ERR_TRUNCATE
        && in[1] == before();
}

bool errorOfSome()
{
    return errorsInStatuses([](MPI_Request* requests, MPI_Status* statuses) {
        int count = 0;
        std::array<int, 2> indices{};
        return MPI_Waitsome(2, requests, &count, indices.data(), statuses);
    });
}

bool errorOfAll()
{
    return errorsInStatuses([](MPI_Request* requests, MPI_Status* statuses) {
        // The first one is null from now on.
        return MPI_Waitall(1, requests, statuses);
    });
}

bool ownErrors()
{
    int kind = 0;
    MPI_Add_error_class(&kind);
    int code = 0;
    MPI_Add_error_code(kind, &code);
    MPI_Add_error_string(code, "out of tea");
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    std::array<char, MPI_MAX_ERROR_STRING> known{};
    MPI_Error_string(MPI_ERR_RANK, known.data(), &length);
    return classOf(code) == kind && std::string(text.data()) == "out of tea" && length > 5
        && classOf(MPI_ERR_TAG) == MPI_ERR_TAG;
}

bool clock()
{
    double last = MPI_Wtime();
    for (int i = 0; i < 1'000; ++i) {
        const double now = MPI_Wtime();
        if (now < last)
            return false;
        last = now;
    }
    return MPI_Wtick() > 0 && MPI_Wtick() < 1;
}

bool itself()
{
    int initialized = 0;
    MPI_Initialized(&initialized);
    int finalized = 1;
    MPI_Finalized(&finalized);
    int threads = -1;
    MPI_Query_thread(&threads);
    int isMain = 0;
    MPI_Is_thread_main(&isMain);
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    int version = 0;
    int subversion = -1;
    MPI_Get_version(&version, &subversion);
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int libraryLength = 0;
    MPI_Get_library_version(library.data(), &libraryLength);
    return initialized == 1 && finalized == 0 && threads >= MPI_THREAD_SINGLE
        && threads <= MPI_THREAD_MULTIPLE && isMain == 1 && length > 0
        && length == static_cast<int>(std::strlen(name.data())) && version >= 3 && subversion >= 0
        && libraryLength > 0;
}

bool memory()
{
    void* room = nullptr;
    MPI_Alloc_mem(4'000, MPI_INFO_NULL, static_cast<void*>(&room));
    auto* values = static_cast<int*>(room);
    MPI_Sendrecv(&rank, 1, MPI_INT, next(), 2, values + 999, 1, MPI_INT, before(), 2, all,
                 MPI_STATUS_IGNORE);
    const bool right = values[999] == before();
    MPI_Free_mem(room);
    return right;
}

bool hints()
{
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "one", "1");
    MPI_Info_set(info, "two", "2");
    MPI_Info_delete(info, "one");
    MPI_Info copy = MPI_INFO_NULL;
    MPI_Info_dup(info, &copy);
    MPI_Info_free(&info);
    int keys = 0;
    MPI_Info_get_nkeys(copy, &keys);
    std::array<char, 16> value{};
    int flag = 0;
    MPI_Info_get(copy, "two", 15, value.data(), &flag);
    MPI_Info_free(&copy);
    return keys == 1 && flag == 1 && value[0] == '2' && info == MPI_INFO_NULL;
}

/// Numbers by which Fortran knows handles lead back to them.
bool handlesOfFortran()
{
    Comm comm;
    MPI_Comm_dup(all, &comm);
    int in = -1;
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(&in, 1, MPI_INT, before(), 3, comm, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, next(), 3, MPI_Comm_f2c(MPI_Comm_c2f(comm)), &requests[1]);
    for (MPI_Request& request : requests)
        request = MPI_Request_f2c(MPI_Request_c2f(request));
    std::array<MPI_Status, 2> statuses{};
    MPI_Waitall(2, requests.data(), statuses.data());
    std::array<MPI_Fint, 16> fortran{};
    MPI_Status back;
    MPI_Status_c2f(&statuses[0], fortran.data());
    MPI_Status_f2c(fortran.data(), &back);
    Group group;
    MPI_Comm_group(comm, &group);
    return in == before() && back.MPI_SOURCE == before() && countOf(back) == 1
        && MPI_Group_f2c(MPI_Group_c2f(group)) == static_cast<MPI_Group>(group);
}

/// A communicator is given up while operations of it are under way.
bool freedUnderWay()
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(all, &comm);
    int sum = -1;
    std::vector<int> values(100'000, rank);
    std::array<MPI_Request, 2> requests{};
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    MPI_Ibcast(values.data(), 100'000, MPI_INT, size - 1, comm, &requests[1]);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    return comm == MPI_COMM_NULL && sum == sumOfRanks() && values.back() == size - 1;
}

/// As many processes as there are.
bool universe()
{
    int* most = nullptr;
    int flag = 0;
    MPI_Comm_get_attr(all, MPI_UNIVERSE_SIZE, static_cast<void*>(&most), &flag);
    return flag == 1 && *most == size;
}

/// Of a long message what fits stands in its places.
bool cutOffWithGaps()
{
    Comm comm;
    tolerant(comm);
    Type every;
    MPI_Type_vector(50, 1, 2, MPI_INT, &every);
    MPI_Type_commit(&every);
    const auto out = numbers(100'000, rank);
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), 100'000, MPI_INT, next(), 1, comm, &sent);
    std::vector<int> in(100, -1);
    const int code = MPI_Recv(in.data(), 1, every, before(), 1, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return classOf(code) == MPI_ERR_TRUNCATE && in[98] == before() * 1000 + 49 && in[99] == -1;
}

} // namespace

std::vector<Case> environmentCases()
{
    return {
        {"own handler", ownHandler},
        {"handlers are kept", handlersAreKept},
        {"wrong arguments", wrongArguments},
        {"wrong groups", wrongGroups},
        {"wrong operations", wrongOperations},
        // Of what a rank sends itself, Open MPI 4 writes what does not fit, too.
        {"cut off", [] { return size < 2 || cutOff(20, 3); }},
        {"cut off, 4 KB", [] { return size < 2 || cutOff(1'000, 100); }},
        {"cut off to nothing", [] { return size < 2 || cutOff(5, 0); }},
        {"error of some", withTwo<errorOfSome>},
        {"error of all", withTwo<errorOfAll>},
        {"own errors", ownErrors},
        {"clock", clock},
        {"itself", itself},
        {"memory", memory},
        {"hints", hints},
        {"handles of Fortran", handlesOfFortran},
    };
}

std::vector<Case> beyondCases()
{
    return {
        {"freed under way", freedUnderWay},
        {"universe", universe},
        {"cut off", [] { return cutOff(1'000, 100); }},
        {"cut off, long", [] { return cutOff(200'000, 100); }},
        {"cut off, with gaps", cutOffWithGaps},
        {"error of some", errorOfSome},
        {"error of all", errorOfAll},
    };
}

} // namespace worldcases
