// SPDX-License-Identifier: GPL-3.0-or-later
#include "sharedfiles.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::world {

/// The begin of the first file.
struct SharedFiles::Head {
    std::uint64_t magic;
    Sizes sizes;
    std::array<std::uint64_t, mostOthers> nodes; ///< numbers of the other files
};

namespace {

constexpr std::uint64_t magicOfFiles = 0x31656c6966725354; // "TSrfile1"
constexpr std::uint64_t firstPage = 4096;

/// Gives the descriptors numbers that follow one another, so that who knows the first finds all.
/// @return false: there are no such numbers left
bool lineUp(std::span<UniqueFd> files)
{
    std::vector<UniqueFd> inLine;
    for (int next = files.front().get(); inLine.size() < files.size();) {
        UniqueFd copy(::fcntl(files[inLine.size()].get(), F_DUPFD_CLOEXEC, next));
        if (!copy)
            return false;
        const bool isBehind = inLine.empty() || copy.get() == next;
        next = copy.get() + 1;
        if (isBehind)
            inLine.push_back(std::move(copy));
        else
            inLine.clear(); // something is in the way: behind that
    }
    std::ranges::move(inLine, files.begin());
    return true;
}

std::optional<struct stat> lookAt(const UniqueFd& file)
{
    struct stat known {};
    if (::fstat(file.get(), &known) != 0)
        return std::nullopt;
    return known;
}

bool isSound(const SharedFiles::Sizes& sizes)
{
    constexpr std::uint64_t most = std::uint64_t{1} << 48U;
    return sizes.first > firstPage && sizes.first % firstPage == 0 && sizes.first < most
        && sizes.others <= SharedFiles::mostOthers && sizes.other % firstPage == 0
        && sizes.other <= most / SharedFiles::mostOthers;
}

} // namespace

Error foreignMemory(const std::filesystem::path& path)
{
    return about(path, ErrorKind::Foreign, "is no memory of a world, or of another version");
}

Result<SharedFiles> SharedFiles::create(const Sizes& sizes)
{
    static_assert(sizeof(Head) <= firstPage);
    assert(isSound(sizes));
    Head head{.magic = magicOfFiles, .sizes = sizes, .nodes = {}};
    std::vector<UniqueFd> files;
    for (std::uint32_t number = 0; number <= sizes.others; ++number) {
        UniqueFd& file = files.emplace_back(
            ::memfd_create(number == 0 ? "tasuki-world" : "tasuki-world-log", MFD_CLOEXEC));
        const std::uint64_t bytes = number == 0 ? sizes.first : sizes.other;
        const auto made = file && ::ftruncate(file.get(), static_cast<off_t>(bytes)) == 0
            ? lookAt(file)
            : std::nullopt;
        if (!made)
            return systemError("the memory of a world cannot be made", errno);
        if (number != 0)
            head.nodes[number - 1] = made->st_ino;
    }
    if (::pwrite(files.front().get(), &head, sizeof head, 0) != sizeof head || !lineUp(files))
        return systemError("the memory of a world cannot be made", errno);
    SharedFiles made(std::move(files), sizes);
    if (const Result<void> mapped = made.map(); !mapped)
        return mapped.error();
    return made;
}

Result<SharedFiles> SharedFiles::open(const std::filesystem::path& path)
{
    const auto opened = [&](const std::filesystem::path& one) {
        return UniqueFd(::open(one.c_str(), O_RDWR | O_CLOEXEC));
    };
    std::vector<UniqueFd> files;
    if (!files.emplace_back(opened(path)))
        return about(path, systemError("the memory of a world cannot be opened", errno));
    Head head{};
    const auto known = lookAt(files.front());
    if (!known || ::pread(files.front().get(), &head, sizeof head, 0) != sizeof head
        || head.magic != magicOfFiles || !isSound(head.sizes)
        || static_cast<std::uint64_t>(known->st_size) != head.sizes.first)
        return foreignMemory(path);
    const int first = std::atoi(path.filename().c_str());
    for (std::uint32_t number = 0; number < head.sizes.others; ++number) {
        const std::filesystem::path one = path.parent_path()
            / std::to_string(first + 1 + static_cast<int>(number));
        if (!files.emplace_back(opened(one)))
            return about(one, systemError("the memory of a world cannot be opened", errno));
        const auto other = lookAt(files.back());
        if (!other || other->st_ino != head.nodes[number]
            || static_cast<std::uint64_t>(other->st_size) != head.sizes.other)
            return foreignMemory(one);
    }
    if (!lineUp(files))
        return about(path, systemError("the memory of a world cannot be opened", errno));
    SharedFiles made(std::move(files), head.sizes);
    if (const Result<void> mapped = made.map(); !mapped)
        return about(path, mapped.error());
    return made;
}

Result<void> SharedFiles::map()
{
    const auto bytes = static_cast<std::size_t>(m_sizes.first + m_sizes.others * m_sizes.other);
    void* const memory = ::mmap(nullptr, bytes, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return systemError("the memory of a world cannot be mapped", errno);
    m_memory = static_cast<std::byte*>(memory);
    for (std::uint32_t number = 0; number < m_files.size(); ++number) {
        const auto size = static_cast<std::size_t>(number == 0 ? m_sizes.first : m_sizes.other);
        std::byte* const place = number == 0 ? first() : other(number - 1);
        if (::mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
                   m_files[number].get(), 0)
            == MAP_FAILED)
            return systemError("the memory of a world cannot be mapped", errno);
    }
    return {};
}

SharedFiles::SharedFiles(SharedFiles&& other) noexcept
    : m_files(std::move(other.m_files)),
      m_sizes(other.m_sizes),
      m_memory(std::exchange(other.m_memory, nullptr))
{}

SharedFiles& SharedFiles::operator=(SharedFiles&& other) noexcept
{
    std::swap(m_files, other.m_files);
    std::swap(m_sizes, other.m_sizes);
    std::swap(m_memory, other.m_memory);
    return *this;
}

SharedFiles::~SharedFiles()
{
    if (m_memory != nullptr)
        ::munmap(m_memory, m_sizes.first + m_sizes.others * m_sizes.other);
}

std::string SharedFiles::path() const
{
    assert(!m_files.empty());
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor());
}

SharedFiles::Head& SharedFiles::head() const { return *reinterpret_cast<Head*>(m_memory); }

std::uint64_t SharedFiles::nodeOf(std::uint32_t other) const { return head().nodes[other]; }

} // namespace tasuki::world
