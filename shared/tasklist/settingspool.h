// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/task.h"

#include <memory>
#include <unordered_set>

namespace tasuki {

/// Keeps one object for equal settings.
class SettingsPool {
public:
    /// @return the one object with this content
    std::shared_ptr<const TaskSettings> share(const TaskSettings& settings);

private:
    using Shared = std::shared_ptr<const TaskSettings>;
    struct Hash {
        std::size_t operator()(const Shared& settings) const;
    };
    struct Equal {
        bool operator()(const Shared& a, const Shared& b) const { return *a == *b; }
    };
    std::unordered_set<Shared, Hash, Equal> m_known;
};

} // namespace tasuki
