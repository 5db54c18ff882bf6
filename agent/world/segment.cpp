// SPDX-License-Identifier: GPL-3.0-or-later
#include "segment.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki::world {

namespace {

constexpr std::uint32_t bitsAWord = 64;

/// Behind the page of SharedFiles.
struct Header {
    std::uint64_t magic;
    std::uint32_t ranks;
    std::uint32_t ringBytes;
    std::uint64_t logBytes;
};
constexpr std::uint64_t magic = 0x37646c726f775354; // "TSworld7"
constexpr std::size_t page = 4096;
constexpr std::size_t headerPlace = page;
constexpr std::size_t sharedPlace = headerPlace + 64;
constexpr std::size_t roundedUp(std::size_t bytes, std::size_t to)
{
    return (bytes + to - 1) / to * to;
}

/// Of each rank: to each one, its determinants, and its outputs.
constexpr std::size_t streamsOf(std::size_t ranks) { return ranks + 1 + Segment::outputs; }

/// Of each rank: its program and the agent of its processor.
constexpr std::size_t readersARank = 2;
constexpr std::size_t bellBytes = 64;

/// Of each rank's log.
constexpr std::size_t chunksOf(const Segment::Layout& layout)
{
    return layout.logBytes / Log::chunkBytes;
}

/// Where the parts of a segment begin.
struct Places {
    std::size_t pendingWords; ///< of a reader
    std::size_t statuses;
    std::size_t doorbells;
    std::size_t pending;
    std::size_t heads;
    std::size_t rings;
    std::size_t logHeads;
    std::size_t chunks;
    std::size_t streams;
    std::size_t end;

    explicit Places(const Segment::Layout& layout)
    {
        const std::size_t ranks = layout.ranks;
        const std::size_t readers = readersARank * ranks;
        // A cache line for each: readers do not disturb one another.
        pendingWords = roundedUp((ranks + 1 + bitsAWord - 1) / bitsAWord, 8);
        statuses = 2 * page;
        doorbells = roundedUp(statuses + ranks * sizeof(ProgramStatus), page);
        pending = roundedUp(doorbells + readers * bellBytes, page);
        heads = roundedUp(pending + readers * pendingWords * sizeof(std::uint64_t), page);
        rings = roundedUp(heads + ranks * ranks * sizeof(RingHead), page);
        logHeads = roundedUp(rings + ranks * ranks * std::size_t{layout.ringBytes}, page);
        const bool keeps = layout.logBytes != 0;
        chunks = logHeads + (keeps ? roundedUp(ranks * sizeof(LogHead), page) : 0);
        streams = chunks + roundedUp(ranks * chunksOf(layout) * sizeof(ChunkHead), page);
        end = streams
            + (keeps ? roundedUp(ranks * streamsOf(ranks) * sizeof(StreamHead), page) : 0);
    }
};

/// The logs of ranks lie in so many files, in turn.
constexpr std::uint32_t logFilesOf(const Segment::Layout& layout)
{
    return layout.logBytes == 0 ? 0 : std::min(layout.ranks, SharedFiles::mostOthers);
}

SharedFiles::Sizes sizesOf(const Segment::Layout& layout)
{
    const std::uint32_t files = logFilesOf(layout);
    return {.first = Places(layout).end,
            .others = files,
            .other = files == 0 ? 0 : (layout.ranks + files - 1) / files * layout.logBytes};
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* limit)
{
    return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, limit,
                     nullptr, 0);
}

} // namespace

std::uint64_t steadyMilliseconds()
{
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
}

Result<Segment> Segment::create(const Layout& layout)
{
    assert(layout.ranks >= 1 && layout.ranks <= mostRanks && std::has_single_bit(layout.ringBytes)
           && layout.logBytes % Log::chunkBytes == 0 && layout.logBytes <= mostLogBytes);
    Result<SharedFiles> files = SharedFiles::create(sizesOf(layout));
    if (!files)
        return files.error();
    *reinterpret_cast<Header*>(files->first() + headerPlace) = {.magic = magic,
                                                                .ranks = layout.ranks,
                                                                .ringBytes = layout.ringBytes,
                                                                .logBytes = layout.logBytes};
    return Segment(std::move(*files), layout);
}

Result<Segment> Segment::open(const std::filesystem::path& path)
{
    Result<SharedFiles> files = SharedFiles::open(path);
    if (!files)
        return files.error();
    const auto& header = *reinterpret_cast<const Header*>(files->first() + headerPlace);
    const Layout layout{
        .ranks = header.ranks, .ringBytes = header.ringBytes, .logBytes = header.logBytes};
    const bool sound = header.magic == magic && layout.ranks >= 1 && layout.ranks <= mostRanks
        && std::has_single_bit(layout.ringBytes) && layout.logBytes % Log::chunkBytes == 0
        && layout.logBytes <= mostLogBytes && files->sizes() == sizesOf(layout);
    if (!sound)
        return foreignMemory(path);
    return Segment(std::move(*files), layout);
}

ProgramStatus& Segment::status(WorldRank rank) const
{
    assert(rank < m_layout.ranks);
    return reinterpret_cast<ProgramStatus*>(memory() + Places(m_layout).statuses)[rank];
}

std::uint32_t Segment::indexOf(Reader reader) const
{
    assert(reader.rank < m_layout.ranks);
    return reader.kind == ReaderKind::Program ? reader.rank : m_layout.ranks + reader.rank;
}

Segment::Doorbell& Segment::doorbell(Reader reader) const
{
    static_assert(sizeof(Doorbell) == bellBytes);
    return reinterpret_cast<Doorbell*>(memory() + Places(m_layout).doorbells)[indexOf(reader)];
}

Ring Segment::ring(WorldRank from, WorldRank to) const
{
    assert(from < m_layout.ranks && to < m_layout.ranks);
    const Places places(m_layout);
    const std::size_t index = std::size_t{to} * m_layout.ranks + from;
    auto& head = reinterpret_cast<RingHead*>(memory() + places.heads)[index];
    return {head, memory() + places.rings + index * m_layout.ringBytes, m_layout.ringBytes};
}

Segment::Shared& Segment::shared() const
{
    return *reinterpret_cast<Shared*>(memory() + sharedPlace);
}

Log Segment::log(WorldRank rank) const
{
    assert(m_layout.logBytes != 0 && rank < m_layout.ranks);
    const Places places(m_layout);
    const std::uint32_t files = logFilesOf(m_layout);
    const std::uint32_t file = rank % files;
    const std::uint64_t offset = rank / files * m_layout.logBytes;
    return {
        reinterpret_cast<LogHead*>(memory() + places.logHeads)[rank],
        reinterpret_cast<ChunkHead*>(memory() + places.chunks) + rank * chunksOf(m_layout),
        m_files.other(file) + offset,
        m_layout.logBytes,
        {.descriptor = m_files.descriptorOf(file), .node = m_files.nodeOf(file), .offset = offset}};
}

StreamHead& Segment::stream(WorldRank from, WorldRank to) const
{
    assert(m_layout.logBytes != 0 && from < m_layout.ranks && to < streamsOf(m_layout.ranks));
    auto* const heads = reinterpret_cast<StreamHead*>(memory() + Places(m_layout).streams);
    return heads[std::size_t{from} * streamsOf(m_layout.ranks) + to];
}

StreamHead& Segment::determinants(WorldRank rank) const { return stream(rank, m_layout.ranks); }

StreamHead& Segment::output(WorldRank rank, std::size_t which) const
{
    return stream(rank, m_layout.ranks + 1 + static_cast<WorldRank>(which));
}

bool Segment::keeps() const
{
    return m_layout.logBytes != 0 && shared().keepsNoMore.load(std::memory_order_acquire) == 0;
}

std::uint64_t Segment::keptBytes(WorldRank rank) const
{
    std::uint64_t bytes = 0;
    for (WorldRank to = 0; to <= m_layout.ranks; ++to)
        bytes += stream(rank, to).written.load(std::memory_order_relaxed);
    return bytes;
}

bool Segment::endKeeping() const { return shared().keepsNoMore.exchange(1) == 0; }

namespace {

struct flock lockOf(WorldRank rank)
{
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(rank);
    lock.l_len = 1;
    return lock;
}

} // namespace

// A lock that the kernel takes from a process when it ends, and not earlier, whatever its children do.
Result<void> Segment::live(WorldRank rank)
{
    struct flock lock = lockOf(rank);
    if (::fcntl(m_files.descriptor(), F_SETLK, &lock) != 0)
        return systemError("another process is rank " + std::to_string(rank) + " of this world",
                           errno);
    return {};
}

std::optional<std::int32_t> Segment::liveProcess(WorldRank rank) const
{
    struct flock lock = lockOf(rank);
    if (::fcntl(m_files.descriptor(), F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        return std::nullopt;
    return lock.l_pid;
}

bool Segment::isRemote(WorldRank rank) const
{
    return doorbell(programOf(rank)).remote.load(std::memory_order_relaxed) != 0;
}

void Segment::setRemote(WorldRank rank, bool remote) const
{
    doorbell(programOf(rank)).remote.store(remote ? 1 : 0, std::memory_order_relaxed);
}

std::atomic<std::uint64_t>* Segment::pendingOf(Reader reader) const
{
    const Places places(m_layout);
    return reinterpret_cast<std::atomic<std::uint64_t>*>(memory() + places.pending)
        + std::size_t{indexOf(reader)} * places.pendingWords;
}

void Segment::announce(WorldRank from, WorldRank to) const
{
    const bool leaves = isRemote(to);
    announce(leaves ? agentOf(from) : programOf(to), leaves ? to : from);
}

void Segment::announceToAgent(WorldRank rank) const { announce(agentOf(rank), m_layout.ranks); }

void Segment::announce(Reader reader, WorldRank other) const
{
    // What was published before is seen by who sees the bit.
    pendingOf(reader)[other / bitsAWord].fetch_or(std::uint64_t{1} << (other % bitsAWord),
                                                  std::memory_order_seq_cst);
    if (doorbell(reader).sleeper.load(std::memory_order_seq_cst) != 0)
        wake(reader);
}

void Segment::wakeWriter(WorldRank from, WorldRank to) const
{
    wake(isRemote(from) ? agentOf(to) : programOf(from));
}

void Segment::wake(Reader reader) const
{
    Doorbell& bell = doorbell(reader);
    bell.rings.fetch_add(1, std::memory_order_seq_cst);
    if (bell.sleeper.exchange(0, std::memory_order_seq_cst) != 0)
        futex(bell.rings, FUTEX_WAKE, INT_MAX, nullptr);
}

void Segment::forEachPending(Reader reader, const std::function<void(WorldRank)>& visit) const
{
    std::atomic<std::uint64_t>* const words = pendingOf(reader);
    for (std::uint32_t word = 0; word * bitsAWord <= m_layout.ranks; ++word) {
        if (words[word].load(std::memory_order_relaxed) == 0)
            continue;
        std::uint64_t bits = words[word].exchange(0, std::memory_order_seq_cst);
        for (; bits != 0; bits &= bits - 1)
            visit(word * bitsAWord + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
}

std::uint32_t Segment::drowse(Reader reader) const
{
    Doorbell& bell = doorbell(reader);
    const std::uint32_t rings = bell.rings.load(std::memory_order_seq_cst);
    bell.sleeper.store(1, std::memory_order_seq_cst);
    return rings;
}

void Segment::sleep(Reader reader, std::uint32_t drowsed, std::chrono::milliseconds most) const
{
    const timespec limit{.tv_sec = most.count() / 1000, .tv_nsec = most.count() % 1000 * 1'000'000};
    futex(doorbell(reader).rings, FUTEX_WAIT, drowsed, &limit);
    awake(reader);
}

bool Segment::sleepUntil(Reader reader, const std::function<bool()>& holds,
                         std::optional<std::chrono::steady_clock::time_point> until) const
{
    constexpr std::chrono::milliseconds mostAtOnce{100};
    while (!holds()) {
        if (until && std::chrono::steady_clock::now() >= *until)
            return false;
        const std::uint32_t drowsed = drowse(reader);
        if (!holds())
            sleep(reader, drowsed, mostAtOnce);
        awake(reader);
    }
    return true;
}

void Segment::awake(Reader reader) const
{
    doorbell(reader).sleeper.store(0, std::memory_order_seq_cst);
}

} // namespace tasuki::world
