// SPDX-License-Identifier: GPL-3.0-or-later
#include "settingspool.h"

#include "hashing.h"

namespace tasuki {

std::size_t SettingsPool::Hash::operator()(const Shared& settings) const
{
    std::size_t hash = 0;
    for (const std::uint16_t count : settings->retries.allowed)
        hash = combineHash(hash, std::size_t{count});
    hash = combineHash(
        hash, static_cast<std::size_t>(settings->timeout ? settings->timeout->count() : -1));
    const auto expected = settings->expectedTime ? settings->expectedTime->count() : -1;
    const auto warned = settings->warning ? settings->warning->before.count() : -1;
    hash = combineHash(combineHash(hash, static_cast<std::size_t>(expected)),
                       static_cast<std::size_t>(warned));
    hash = combineHash(
        hash, static_cast<std::size_t>(settings->seat ? settings->seat->rank.value() : -1));
    hash = combineHash(hash, settings->workingDirectory);
    for (const auto& [name, value] : settings->environment)
        hash = combineHash(combineHash(hash, name), value);
    return hash;
}

std::shared_ptr<const TaskSettings> SettingsPool::share(const TaskSettings& settings)
{
    const Shared probe(Shared(), &settings); // owns nothing, lives for this call
    const auto known = m_known.find(probe);
    if (known != m_known.end())
        return *known;
    return *m_known.insert(std::make_shared<const TaskSettings>(settings)).first;
}

} // namespace tasuki
