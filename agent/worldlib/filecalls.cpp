// SPDX-License-Identifier: GPL-3.0-or-later
// Files that several ranks open together, and what is one for all of them. Open MPI has the file open in each rank as in a process
// alone; the ranks agree on what all must do together.
#include "checks.h"
#include "exported.h"
#include "files.h"
#include "real.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>

namespace tasuki::world {

namespace {

namespace fs = std::filesystem;

int checkMode(int mode)
{
    const int ways = ((mode & MPI_MODE_RDONLY) != 0 ? 1 : 0) + ((mode & MPI_MODE_RDWR) != 0 ? 1 : 0)
        + ((mode & MPI_MODE_WRONLY) != 0 ? 1 : 0);
    const bool makes = (mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0;
    const bool good = ways == 1 && !(makes && (mode & MPI_MODE_RDONLY) != 0)
        && !((mode & MPI_MODE_SEQUENTIAL) != 0 && (mode & MPI_MODE_RDWR) != 0);
    return good ? MPI_SUCCESS : MPI_ERR_AMODE;
}

/// What is in common of a file of all ranks: the first member chooses the end of its name.
std::string commonPath(const std::string& name, std::uint64_t end)
{
    constexpr std::size_t longest = 200;
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(end));
    const fs::path path(name);
    return (path.parent_path()
            / ("." + path.filename().string().substr(0, longest) + ".shared-" + text))
        .string();
}

std::uint64_t anyNumber(Program& program)
{
    return static_cast<std::uint64_t>(program.endpoint().decide(ValueKind::Random, [] {
        std::random_device device;
        return static_cast<std::int64_t>((std::uint64_t{device()} << 32U) + device());
    }));
}

/// A place in a file that others may move: another life is told the same.
/// @param find  puts it, and returns an MPI error code
template <class Find>
int decidePlace(Program& program, MPI_Offset* place, Find find)
{
    int code = MPI_SUCCESS;
    *place = program.endpoint().decide(ValueKind::Position, [&] {
        MPI_Offset found = 0;
        code = find(&found);
        return std::int64_t{found};
    });
    return code;
}

/// Opens it at this rank: the first member makes it, the others find it. @return an MPI error code
int openHere(Program& program, File& file, MPI_Info info)
{
    const SharedCommunicator& with = file.communicator;
    constexpr int making = MPI_MODE_CREATE | MPI_MODE_EXCL;
    const int mode = file.mode
        & ~(MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_SEQUENTIAL | MPI_MODE_APPEND);
    const auto open = [&](int how) {
        if (isReplayed()) // the life before has made it
            how &= ~MPI_MODE_EXCL;
        return real::File_open(with->handle, file.name.c_str(), how, info, &file.handle);
    };
    int code = with->rank == 0 ? open(mode) : MPI_SUCCESS;
    int first = MPI_SUCCESS;
    real::Error_class(code, &first);
    first = ofFirst(program, with, first);
    if (first != MPI_SUCCESS)
        return code != MPI_SUCCESS ? code : failFile(MPI_FILE_NULL, first);
    if (with->rank != 0)
        code = open(mode & ~making);
    const int all = agree(program, with, code);
    if (all == MPI_SUCCESS)
        return all;
    if (code != MPI_SUCCESS)
        return code;
    real::File_close(&file.handle);
    return failFile(MPI_FILE_NULL, all);
}

/// Does something at the first member only, which the others wait for. All must ask for the same.
/// @param asked  what is asked for
template <class Value, class Do>
int onlyOnce(Program& program, const File& file, Value asked, Do once)
{
    const SharedCommunicator& with = file.communicator;
    const bool same = ofFirst(program, with, asked) == asked;
    if (const int code = agree(program, with, same ? MPI_SUCCESS : MPI_ERR_NOT_SAME);
        code != MPI_SUCCESS)
        return failFile(file.handle, code);
    // The life before has done it, and others have gone on from there.
    const int own = with->rank == 0 && !isReplayed() ? once() : MPI_SUCCESS;
    int first = MPI_SUCCESS;
    real::Error_class(own, &first);
    first = ofFirst(program, with, first);
    return with->rank == 0 || first == MPI_SUCCESS ? own : failFile(file.handle, first);
}

/// What each has done is known to all. @param own  of this rank, whose error handler knows it
int together(Program& program, const File& file, int own)
{
    const int all = agree(program, file.communicator, own);
    return own != MPI_SUCCESS || all == MPI_SUCCESS ? own : failFile(file.handle, all);
}

/// Where the file ends, in elements of the view.
int endNow(const File& file, MPI_Offset* end)
{
    MPI_Offset before = 0;
    real::File_get_position(file.handle, &before);
    const int code = real::File_seek(file.handle, 0, MPI_SEEK_END);
    if (code == MPI_SUCCESS)
        real::File_get_position(file.handle, end);
    real::File_seek(file.handle, before, MPI_SEEK_SET);
    return code;
}

int endOf(Program& program, const File& file, MPI_Offset* end)
{
    return decidePlace(program, end, [&](MPI_Offset* found) { return endNow(file, found); });
}

/// Where MPI_File_seek_shared leads to. @return an MPI error code
int targetOf(Program& program, File& file, MPI_Offset offset, int whence, MPI_Offset* target)
{
    MPI_Offset from = 0;
    if (whence == MPI_SEEK_CUR) {
        const auto now = file.common.advance(0);
        if (!now)
            return MPI_ERR_IO;
        from = *now;
    } else if (whence == MPI_SEEK_END) {
        if (const int code = endOf(program, file, &from); code != MPI_SUCCESS)
            return code;
    } else if (whence != MPI_SEEK_SET) {
        return MPI_ERR_ARG;
    }
    *target = from + offset;
    return *target < 0 ? MPI_ERR_ARG : MPI_SUCCESS;
}

/// The position of all becomes the first member's `position`. Nobody uses it until all have called this.
int placeAll(Program& program, File& file, MPI_Offset position)
{
    const SharedCommunicator& with = file.communicator;
    position = ofFirst(program, with, position);
    const bool good = file.common.setPosition(position, with->rank == 0);
    return agree(program, with, good ? MPI_SUCCESS : MPI_ERR_IO);
}

#define TASUKI_FILE(function, handle)                                                              \
    const Call call(function);                                                                     \
    const SharedFile file = fileOf(handle);                                                        \
    if (!file)                                                                                     \
    return failFile(MPI_FILE_NULL, MPI_ERR_FILE)

} // namespace

TASUKI_WORLD(int, File_open, MPI_Comm comm, const char* name, int mode, MPI_Info info,
             MPI_File* handle)
{
    const Call call("MPI_File_open");
    const auto with = call.communicator(comm);
    if (!with || with->isInter())
        return fail(with ? comm : MPI_COMM_WORLD, MPI_ERR_COMM);
    const auto file = std::make_shared<File>();
    file->communicator = with;
    file->mode = mode;
    std::error_code unknown;
    file->name = fs::absolute(name, unknown).string();
    if (unknown)
        file->name = name;
    const bool same = ofFirst(*call, with, mode) == mode;
    const int wrong = agree(*call, with, same ? checkMode(mode) : MPI_ERR_NOT_SAME);
    if (wrong != MPI_SUCCESS)
        return failFile(MPI_FILE_NULL, wrong);
    if (const int code = openHere(*call, *file, info); code != MPI_SUCCESS)
        return code;
    MPI_Offset end = 0;
    if ((mode & MPI_MODE_APPEND) != 0) {
        decidePlace(*call, &end,
                    [&](MPI_Offset* size) { return real::File_get_size(file->handle, size); });
        real::File_seek(file->handle, 0, MPI_SEEK_END);
    }
    end = ofFirst(*call, with, end);
    file->common.place(commonPath(file->name, ofFirst(*call, with, anyNumber(*call))),
                       with->size() == 1, end);
    // Nobody writes to it before all know where it ends.
    agree(*call, with, MPI_SUCCESS);
    addFile(file);
    *handle = file->handle;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, File_close, MPI_File* handle)
{
    TASUKI_FILE("MPI_File_close", *handle);
    const SharedCommunicator& with = file->communicator;
    removeFile(*handle);
    const int own = real::File_close(handle);
    *handle = MPI_FILE_NULL;
    int code = agree(*call, with, own);
    if (with->rank == 0)
        file->common.remove();
    if ((file->mode & MPI_MODE_DELETE_ON_CLOSE) != 0) {
        const int gone = with->rank == 0 ? real::File_delete(file->name.c_str(), MPI_INFO_NULL)
                                         : MPI_SUCCESS;
        const int all = agree(*call, with, gone);
        code = code != MPI_SUCCESS ? code : all;
    }
    return code == MPI_SUCCESS ? code : failFile(MPI_FILE_NULL, code);
}

TASUKI_WORLD(int, File_get_group, MPI_File handle, MPI_Group* group)
{
    TASUKI_FILE("MPI_File_get_group", handle);
    *group = handleOf(file->communicator->group);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, File_get_amode, MPI_File handle, int* mode)
{
    TASUKI_FILE("MPI_File_get_amode", handle);
    *mode = file->mode;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, File_get_size, MPI_File handle, MPI_Offset* size)
{
    TASUKI_FILE("MPI_File_get_size", handle);
    return decidePlace(*call, size,
                       [&](MPI_Offset* found) { return real::File_get_size(handle, found); });
}

TASUKI_WORLD(int, File_set_size, MPI_File handle, MPI_Offset size)
{
    TASUKI_FILE("MPI_File_set_size", handle);
    return onlyOnce(*call, *file, size, [&] { return real::File_set_size(handle, size); });
}

TASUKI_WORLD(int, File_preallocate, MPI_File handle, MPI_Offset size)
{
    TASUKI_FILE("MPI_File_preallocate", handle);
    return onlyOnce(*call, *file, size, [&] { return real::File_preallocate(handle, size); });
}

TASUKI_WORLD(int, File_sync, MPI_File handle)
{
    TASUKI_FILE("MPI_File_sync", handle);
    return together(*call, *file, real::File_sync(handle));
}

TASUKI_WORLD(int, File_set_info, MPI_File handle, MPI_Info info)
{
    TASUKI_FILE("MPI_File_set_info", handle);
    return together(*call, *file, real::File_set_info(handle, info));
}

TASUKI_WORLD(int, File_set_view, MPI_File handle, MPI_Offset place, MPI_Datatype element,
             MPI_Datatype type, const char* representation, MPI_Info info)
{
    TASUKI_FILE("MPI_File_set_view", handle);
    int code = MPI_SUCCESS;
    if (place == MPI_DISPLACEMENT_CURRENT && file->isSequential()) {
        const auto now = file->common.advance(0);
        code = now ? real::File_get_byte_offset(handle, *now, &place)
                   : failFile(handle, MPI_ERR_IO);
    }
    if (code == MPI_SUCCESS)
        code = real::File_set_view(handle, place, element, type, representation, info);
    if (const int all = together(*call, *file, code); all != MPI_SUCCESS)
        return all;
    real::Type_size_x(element, &file->unit);
    code = placeAll(*call, *file, 0);
    return code == MPI_SUCCESS ? code : failFile(handle, code);
}

TASUKI_WORLD(int, File_set_atomicity, MPI_File handle, int flag)
{
    TASUKI_FILE("MPI_File_set_atomicity", handle);
    const int code = onlyOnce(*call, *file, flag != 0, [] { return MPI_SUCCESS; });
    if (code != MPI_SUCCESS)
        return code;
    const bool good = flag == 0 || file->common.isThere();
    const int all = agree(*call, file->communicator, good ? MPI_SUCCESS : MPI_ERR_IO);
    if (all != MPI_SUCCESS)
        return failFile(handle, all);
    file->atomic = flag != 0;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, File_get_atomicity, MPI_File handle, int* flag)
{
    TASUKI_FILE("MPI_File_get_atomicity", handle);
    *flag = file->atomic ? 1 : 0;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, File_seek_shared, MPI_File handle, MPI_Offset offset, int whence)
{
    TASUKI_FILE("MPI_File_seek_shared", handle);
    struct Asked {
        MPI_Offset offset;
        MPI_Offset whence;
        bool operator==(const Asked&) const = default;
    };
    MPI_Offset target = 0;
    const int code = onlyOnce(*call, *file, Asked{offset, whence}, [&] {
        const int wrong = targetOf(*call, *file, offset, whence, &target);
        return wrong == MPI_SUCCESS ? wrong : failFile(handle, wrong);
    });
    if (code != MPI_SUCCESS)
        return code;
    const int placed = placeAll(*call, *file, target);
    return placed == MPI_SUCCESS ? placed : failFile(handle, placed);
}

TASUKI_WORLD(int, File_get_position_shared, MPI_File handle, MPI_Offset* position)
{
    TASUKI_FILE("MPI_File_get_position_shared", handle);
    const auto now = file->common.advance(0);
    if (!now)
        return failFile(handle, MPI_ERR_IO);
    *position = *now;
    return MPI_SUCCESS;
}

} // namespace tasuki::world
