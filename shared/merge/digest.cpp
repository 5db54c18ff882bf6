// SPDX-License-Identifier: GPL-3.0-or-later
#include "digest.h"

#include <array>
#include <cstdio>
#include <new>
#include <xxhash.h>

namespace tasuki::merge {

std::string Digest::hex() const
{
    std::array<char, 33> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx%016llx",
                  static_cast<unsigned long long>(high), static_cast<unsigned long long>(low));
    return digits.data();
}

Digester::Digester() : m_state(XXH3_createState())
{
    if (m_state == nullptr)
        throw std::bad_alloc();
    XXH3_128bits_reset(m_state);
}

Digester::~Digester() { XXH3_freeState(m_state); }

void Digester::addDirectly(std::string_view bytes)
{
    XXH3_128bits_update(m_state, bytes.data(), bytes.size());
}

void Digester::flush()
{
    addDirectly(std::string_view(m_gathered.data(), m_used));
    m_used = 0;
}

Digest Digester::digest()
{
    flush();
    const XXH128_hash_t hash = XXH3_128bits_digest(m_state);
    return {.high = hash.high64, .low = hash.low64};
}

std::uint64_t checkSum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

} // namespace tasuki::merge
