// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing files. Each rank does it by itself, by Open MPI, when it is called: also where others do the same with it, or
// it is not waited for. What they have in common is the position of all, and turns while a file is atomic.
#include "algorithms.h"
#include "checks.h"
#include "exported.h"
#include "files.h"
#include "making.h"
#include "real.h"

#include <memory>
#include <optional>
#include <string_view>

namespace tasuki::world {

namespace {

SharedFile begin(const char* name, MPI_File handle)
{
    const Call call(name);
    return fileOf(handle);
}

/// Where a rank reads or writes, with what. Null data may be right.
template <class Data>
struct Access {
    MPI_File handle;
    Data* data;
    int count;
    MPI_Datatype type;
};

/// Open MPI's functions that read or write: where the own position is, and at a place.
template <class Data>
struct Ways {
    int (*here)(MPI_File, Data*, int, MPI_Datatype, MPI_Status*);
    int (*at)(MPI_File, MPI_Offset, Data*, int, MPI_Datatype, MPI_Status*);
};
Ways<void> reading() { return {real::File_read, real::File_read_at}; }

/// How far an access goes, in elements of the view. @return an MPI error code
template <class Data>
int elementsOf(const File& file, const Access<Data>& access, MPI_Offset* elements)
{
    if (const int code = checkBuffer(access.data, access.count, access.type); code != MPI_SUCCESS)
        return code;
    MPI_Count size = 0;
    real::Type_size_x(access.type, &size);
    if (file.unit == 0 || (size * access.count) % file.unit != 0)
        return MPI_ERR_ARG;
    *elements = size * access.count / file.unit;
    return MPI_SUCCESS;
}

/// What the life before has written stands there, or what others have written over it since.
int tellWritten(int count, MPI_Datatype type, MPI_Status* status)
{
    return status == MPI_STATUS_IGNORE ? MPI_SUCCESS
                                       : real::Status_set_elements(status, type, count);
}

int writeHere(MPI_File handle, const void* data, int count, MPI_Datatype type, MPI_Status* status)
{
    const SharedFile file = isReplayed() ? fileOf(handle) : nullptr;
    MPI_Offset elements = 0;
    if (!file
        || elementsOf(*file, Access<const void>{handle, data, count, type}, &elements)
            != MPI_SUCCESS)
        return real::File_write(handle, data, count, type, status);
    real::File_seek(handle, elements, MPI_SEEK_CUR);
    return tellWritten(count, type, status);
}

int writeAt(MPI_File handle, MPI_Offset place, const void* data, int count, MPI_Datatype type,
            MPI_Status* status)
{
    return isReplayed() && fileOf(handle)
        ? tellWritten(count, type, status)
        : real::File_write_at(handle, place, data, count, type, status);
}

Ways<const void> writing() { return {writeHere, writeAt}; }

/// Does it at a place, or at the own position. Precondition: the program is not locked.
template <class Data>
int performAt(const SharedFile& file, const Access<Data>& access, const Ways<Data>& ways,
              std::optional<MPI_Offset> place, MPI_Status* status)
{
    const auto go = [&] {
        return place
            ? ways.at(access.handle, *place, access.data, access.count, access.type, status)
            : ways.here(access.handle, access.data, access.count, access.type, status);
    };
    // Of no file: Open MPI says so.
    if (!file || !file->atomic || file->communicator->size() == 1)
        return go();
    const Common::Turn turn(file->common);
    return turn.isHeld() ? go() : failFile(access.handle, MPI_ERR_IO);
}

template <class Data>
int perform(const char* name, const Access<Data>& access, const Ways<Data>& ways,
            std::optional<MPI_Offset> place, MPI_Status* status)
{
    const SharedFile file = begin(name, access.handle);
    if (file && file->isSequential())
        return failFile(access.handle, MPI_ERR_UNSUPPORTED_OPERATION);
    return performAt(file, access, ways, place, status);
}

template <class Data>
int performShared(const char* name, const Access<Data>& access, const Ways<Data>& ways,
                  MPI_Status* status)
{
    const SharedFile file = begin(name, access.handle);
    if (!file)
        return failFile(MPI_FILE_NULL, MPI_ERR_FILE);
    MPI_Offset elements = 0;
    if (const int code = elementsOf(*file, access, &elements); code != MPI_SUCCESS)
        return failFile(access.handle, code);
    const auto place = file->common.advance(elements);
    if (!place)
        return failFile(access.handle, MPI_ERR_IO);
    return performAt(file, access, ways, place, status);
}

/// One after the other in the order of ranks, from the position of all on.
template <class Data>
int performOrdered(const char* name, const Access<Data>& access, const Ways<Data>& ways,
                   MPI_Status* status)
{
    SharedFile file;
    MPI_Offset elements = 0;
    MPI_Offset place = 0;
    {
        const Call call(name);
        file = fileOf(access.handle);
        if (!file)
            return failFile(MPI_FILE_NULL, MPI_ERR_FILE);
        const SharedCommunicator& with = file->communicator;
        const int own = elementsOf(*file, access, &elements);
        if (const int code = agree(*call, with, own); code != MPI_SUCCESS)
            return failFile(access.handle, code);
        MPI_Offset upToHere = 0;
        run(*call, scan({*call, with}, &elements, {&upToHere, 1, MPI_OFFSET}, MPI_SUM, false));
        MPI_Offset all = upToHere;
        run(*call, broadcast({*call, with}, {&all, 1, MPI_OFFSET}, with->size() - 1));
        constexpr MPI_Offset none = -1;
        const MPI_Offset first = ofFirst(
            *call, with, with->rank == 0 ? file->common.advance(all).value_or(none) : none);
        if (first == none)
            return failFile(access.handle, MPI_ERR_IO);
        place = first + upToHere - elements;
    }
    return performAt(file, access, ways, place, status);
}

/// Begins what another call ends: it is done at once.
template <class Do>
int beginSplit(const char* name, MPI_File handle, Do go)
{
    const SharedFile file = begin(name, handle);
    if (!file || file->split)
        return failFile(file ? handle : MPI_FILE_NULL, file ? MPI_ERR_OTHER : MPI_ERR_FILE);
    MPI_Status status{};
    const int code = go(&status);
    if (code == MPI_SUCCESS)
        file->split = File::Split{name, status};
    return code;
}

/// All but the error of it, which only calls that end several requests set.
void tell(const MPI_Status& from, MPI_Status* to)
{
    if (to == MPI_STATUS_IGNORE)
        return;
    const int error = to->MPI_ERROR;
    *to = from;
    to->MPI_ERROR = error;
}

/// @param beginning  the call that must have begun it
int endSplit(const char* name, std::string_view beginning, MPI_File handle, MPI_Status* status)
{
    const SharedFile file = begin(name, handle);
    if (!file || !file->split || file->split->name != beginning)
        return failFile(file ? handle : MPI_FILE_NULL, file ? MPI_ERR_OTHER : MPI_ERR_FILE);
    tell(file->split->status, status);
    file->split.reset();
    return MPI_SUCCESS;
}

int queryDone(void* extra, MPI_Status* status)
{
    tell(*static_cast<const MPI_Status*>(extra), status);
    return MPI_SUCCESS;
}

int freeDone(void* extra)
{
    delete static_cast<MPI_Status*>(extra);
    return MPI_SUCCESS;
}

int cancelDone(void*, int) { return MPI_SUCCESS; }

/// Does it at once, and gives a request that is done.
template <class Do>
int withRequest(MPI_Request* handle, Do go)
{
    *handle = MPI_REQUEST_NULL;
    auto status = std::make_unique<MPI_Status>();
    if (const int code = go(status.get()); code != MPI_SUCCESS)
        return code;
    auto request = std::make_unique<Request>();
    request->kind = Request::Kind::General;
    request->query = queryDone;
    request->release = freeDone;
    request->cancel = cancelDone;
    request->extra = status.release();
    request->completed = true;
    *handle = request.release()->handle();
    return MPI_SUCCESS;
}

} // namespace

/// Calls that read or write at a place, and the same that are not waited for.
#define TASUKI_AT(name, Data, ways)                                                                \
    TASUKI_WORLD(int, File_##name, MPI_File file, MPI_Offset place, Data* data, int count,         \
                 MPI_Datatype type, MPI_Status* status)                                            \
    {                                                                                              \
        return perform<Data>("MPI_File_" #name, {file, data, count, type}, ways, place, status);   \
    }                                                                                              \
    TASUKI_WORLD(int, File_i##name, MPI_File file, MPI_Offset place, Data* data, int count,        \
                 MPI_Datatype type, MPI_Request* request)                                          \
    {                                                                                              \
        return withRequest(request, [&](MPI_Status* status) {                                      \
            return perform<Data>("MPI_File_i" #name, {file, data, count, type}, ways, place,       \
                                 status);                                                          \
        });                                                                                        \
    }

/// The same without a place.
#define TASUKI_HERE(name, Data, does, ...)                                                         \
    TASUKI_WORLD(int, File_##name, MPI_File file, Data* data, int count, MPI_Datatype type,        \
                 MPI_Status* status)                                                               \
    {                                                                                              \
        return does<Data>("MPI_File_" #name, {file, data, count, type}, __VA_ARGS__, status);      \
    }

#define TASUKI_HERE_NOT_WAITED_FOR(name, Data, does, ...)                                          \
    TASUKI_WORLD(int, File_i##name, MPI_File file, Data* data, int count, MPI_Datatype type,       \
                 MPI_Request* request)                                                             \
    {                                                                                              \
        return withRequest(request, [&](MPI_Status* status) {                                      \
            return does<Data>("MPI_File_i" #name, {file, data, count, type}, __VA_ARGS__, status); \
        });                                                                                        \
    }

/// The same in two calls.
#define TASUKI_SPLIT_HERE(name, Data, does, ...)                                                   \
    TASUKI_WORLD(int, File_##name##_begin, MPI_File file, Data* data, int count,                   \
                 MPI_Datatype type)                                                                \
    {                                                                                              \
        return beginSplit("MPI_File_" #name "_begin", file, [&](MPI_Status* status) {              \
            return does<Data>("MPI_File_" #name "_begin", {file, data, count, type}, __VA_ARGS__,  \
                              status);                                                             \
        });                                                                                        \
    }                                                                                              \
    TASUKI_SPLIT_END(name, Data)

#define TASUKI_SPLIT_AT(name, Data, ways)                                                          \
    TASUKI_WORLD(int, File_##name##_begin, MPI_File file, MPI_Offset place, Data* data, int count, \
                 MPI_Datatype type)                                                                \
    {                                                                                              \
        return beginSplit("MPI_File_" #name "_begin", file, [&](MPI_Status* status) {              \
            return perform<Data>("MPI_File_" #name "_begin", {file, data, count, type}, ways,      \
                                 place, status);                                                   \
        });                                                                                        \
    }                                                                                              \
    TASUKI_SPLIT_END(name, Data)

#define TASUKI_SPLIT_END(name, Data)                                                               \
    TASUKI_WORLD(int, File_##name##_end, MPI_File file, Data* data, MPI_Status* status)            \
    {                                                                                              \
        static_cast<void>(data);                                                                   \
        return endSplit("MPI_File_" #name "_end", "MPI_File_" #name "_begin", file, status);       \
    }

#define TASUKI_ACCESS(name, Data, ways)                                                            \
    TASUKI_AT(name##_at, Data, ways)                                                               \
    TASUKI_AT(name##_at_all, Data, ways)                                                           \
    TASUKI_SPLIT_AT(name##_at_all, Data, ways)                                                     \
    TASUKI_HERE(name, Data, perform, ways, std::nullopt)                                           \
    TASUKI_HERE(name##_all, Data, perform, ways, std::nullopt)                                     \
    TASUKI_HERE_NOT_WAITED_FOR(name, Data, perform, ways, std::nullopt)                            \
    TASUKI_HERE_NOT_WAITED_FOR(name##_all, Data, perform, ways, std::nullopt)                      \
    TASUKI_SPLIT_HERE(name##_all, Data, perform, ways, std::nullopt)                               \
    TASUKI_HERE(name##_shared, Data, performShared, ways)                                          \
    TASUKI_HERE_NOT_WAITED_FOR(name##_shared, Data, performShared, ways)                           \
    TASUKI_HERE(name##_ordered, Data, performOrdered, ways)                                        \
    TASUKI_SPLIT_HERE(name##_ordered, Data, performOrdered, ways)

TASUKI_ACCESS(read, void, reading())
TASUKI_ACCESS(write, const void, writing())

} // namespace tasuki::world
