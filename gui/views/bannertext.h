// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/session.h"
#include "theme.h"

#include <QString>

#include <optional>

namespace tasuki {

/// What a banner says about the connection, and what can be done about it.
struct BannerContent {
    enum class Remedy : std::uint8_t { None, TryNow, Reload, OpenRunFile, Resume, RetryFailed };

    theme::Tint tint = theme::Tint::Information;
    QString headline;
    QString explanation; ///< may be empty
    Remedy remedy = Remedy::None;
    /// What is shown is not what is: views must not look as if it were.
    bool stale = false;
    std::optional<int> percent; ///< of loading; -1: not known
    bool operator==(const BannerContent&) const = default;
};

/// @return none: nothing needs to be said
std::optional<BannerContent> bannerContent(const Session& session);

} // namespace tasuki
