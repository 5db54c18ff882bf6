// SPDX-License-Identifier: GPL-3.0-or-later
#include "files.h"

#include "algorithms.h"
#include "making.h"
#include "real.h"

#include <cerrno>
#include <map>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tasuki::world {

namespace {

/// Places in the common file that are locked: for its position, and for turns.
constexpr MPI_Offset positionPlace = 0;
constexpr MPI_Offset turnPlace = 8;

std::mutex filesMutex;
std::map<MPI_File, SharedFile> files;

} // namespace

// ---- what is in common

void Common::place(std::string path, bool alone, MPI_Offset position)
{
    m_path = std::move(path);
    m_alone = alone;
    m_position = position;
}

Common::~Common()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Common::Opened Common::open(bool make)
{
    const std::scoped_lock lock(m_opening);
    if (m_descriptor < 0)
        m_descriptor = ::open(m_path.c_str(),
                              O_RDWR | (make ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (m_descriptor >= 0)
        return Opened::Yes;
    return errno == ENOENT && !make ? Opened::NotMade : Opened::No;
}

bool Common::lock(short kind, MPI_Offset first)
{
    struct flock part {};
    part.l_type = kind;
    part.l_whence = SEEK_SET;
    part.l_start = first;
    part.l_len = 1;
    int done = -1;
    do
        done = ::fcntl(m_descriptor, F_OFD_SETLKW, &part);
    while (done != 0 && errno == EINTR);
    return done == 0;
}

Common::Turn::Turn(Common& common)
    : m_common(common),
      m_lock(common.m_turn),
      m_held(common.m_alone
             || (common.open(true) == Opened::Yes && common.lock(F_WRLCK, turnPlace)))
{}

Common::Turn::~Turn()
{
    if (m_held && !m_common.m_alone)
        m_common.lock(F_UNLCK, turnPlace);
}

/// A life that follows is told the same position, and does not put it forward again.
std::optional<MPI_Offset> Common::advance(MPI_Offset by)
{
    Program& program = *Program::current();
    if (!program.endpoint().keeps() && !program.endpoint().replays())
        return advanceNow(by);
    const auto lock = program.lock();
    const std::int64_t position = program.endpoint().decide(
        ValueKind::Position, [this, by] { return advanceNow(by).value_or(-1); });
    return position < 0 ? std::nullopt : std::optional(MPI_Offset{position});
}

std::optional<MPI_Offset> Common::advanceNow(MPI_Offset by)
{
    const std::scoped_lock own(m_positioning);
    if (m_alone)
        return std::exchange(m_position, m_position + by);
    const Opened opened = open(by != 0);
    if (opened == Opened::NotMade)
        return m_position;
    if (opened == Opened::No || !lock(F_WRLCK, positionPlace))
        return std::nullopt;
    MPI_Offset position = m_position;
    const ssize_t got = ::pread(m_descriptor, &position, sizeof position, 0);
    const bool good = (got == 0 || got == ssize_t{sizeof position})
        && (by == 0 || write(position + by));
    lock(F_UNLCK, positionPlace);
    return good ? std::optional(position) : std::nullopt;
}

bool Common::setPosition(MPI_Offset position, bool forAll)
{
    const std::scoped_lock own(m_positioning);
    m_position = position;
    if (m_alone || !forAll || isReplayed())
        return true;
    const Opened opened = open(false);
    return opened == Opened::NotMade || (opened == Opened::Yes && write(position));
}

bool Common::write(MPI_Offset position)
{
    return ::pwrite(m_descriptor, &position, sizeof position, 0) == ssize_t{sizeof position};
}

bool Common::isThere() { return m_alone || open(true) == Opened::Yes; }

void Common::remove()
{
    if (!m_alone && !isReplayed())
        ::unlink(m_path.c_str());
}

bool isReplayed() { return Program::current()->endpoint().replays(); }

// ---- all files

SharedFile fileOf(MPI_File handle)
{
    const std::scoped_lock lock(filesMutex);
    const auto found = files.find(handle);
    return found == files.end() ? nullptr : found->second;
}

void addFile(SharedFile file)
{
    const std::scoped_lock lock(filesMutex);
    const MPI_File handle = file->handle;
    files.insert_or_assign(handle, std::move(file));
}

bool hasOpenFiles()
{
    const std::scoped_lock lock(filesMutex);
    return !files.empty();
}

void removeFile(MPI_File handle)
{
    const std::scoped_lock lock(filesMutex);
    files.erase(handle);
}

int agree(Program& program, const SharedCommunicator& among, int code)
{
    int own = MPI_SUCCESS;
    real::Error_class(code, &own);
    int worst = own;
    const int told = run(program, allreduce({program, among}, &own, {&worst, 1, MPI_INT}, MPI_MAX));
    if (code != MPI_SUCCESS)
        return code;
    return told != MPI_SUCCESS ? told : worst;
}

void tellOfFirst(Program& program, const SharedCommunicator& among, void* data, std::size_t bytes)
{
    run(program, broadcast({program, among}, {data, bytes, MPI_BYTE}, 0));
}

} // namespace tasuki::world
