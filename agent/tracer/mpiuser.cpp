// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpiuser.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <link.h>
#include <span>
#include <string_view>

namespace tasuki::tracer {

namespace {

constexpr std::array parts{"libmpi", "libopen-", "libompi", "libtasuki-", "mca_"};

std::string_view fileName(const char* path)
{
    const std::string_view whole = path == nullptr ? "" : path;
    const auto slash = whole.find_last_of('/');
    return slash == std::string_view::npos ? whole : whole.substr(slash + 1);
}

bool needsMpi(const dl_phdr_info& object, const ElfW(Phdr) & header)
{
    const ElfW(Addr) place = object.dlpi_addr + header.p_vaddr;
    const ElfW(Dyn)* entry = nullptr;
    static_assert(sizeof entry == sizeof place);
    entry = reinterpret_cast<const ElfW(Dyn)*>(place);
    const std::span entries{entry, header.p_memsz / sizeof(ElfW(Dyn))};
    const auto names = std::ranges::find(entries, DT_STRTAB, &ElfW(Dyn)::d_tag);
    if (names == entries.end())
        return false;
    // Some kinds of machines leave it relative to the object.
    ElfW(Addr) text = names->d_un.d_ptr;
    if (text < object.dlpi_addr)
        text += object.dlpi_addr;
    for (const ElfW(Dyn) & one : entries) {
        if (one.d_tag == DT_NULL)
            break;
        const char* const name = reinterpret_cast<const char*>(text) + one.d_un.d_val;
        if (one.d_tag == DT_NEEDED && std::string_view{name}.starts_with("libmpi"))
            return true;
    }
    return false;
}

int lookAt(dl_phdr_info* object, std::size_t, void* found)
{
    const std::string_view name = fileName(object->dlpi_name);
    if (std::ranges::any_of(parts, [&](const char* part) { return name.starts_with(part); }))
        return 0;
    const std::span headers{object->dlpi_phdr, object->dlpi_phnum};
    for (const ElfW(Phdr) & header : headers) {
        if (header.p_type == PT_DYNAMIC && needsMpi(*object, header))
            *static_cast<bool*>(found) = true;
    }
    return 0;
}

} // namespace

bool usesMpi() noexcept
{
    bool found = false;
    dl_iterate_phdr(lookAt, &found);
    return found;
}

bool isLaunchedFirst() noexcept
{
    for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
        if (const char* rank = std::getenv(variable); rank != nullptr)
            return std::string_view{rank} == "0";
    }
    return false;
}

} // namespace tasuki::tracer
