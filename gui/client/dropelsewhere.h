// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>

#include <memory>
#include <utility>

namespace tasuki {

/// Destroys a value on another thread: to free what a million tasks hold takes longer than a frame.
template <class T>
void dropElsewhere(T value)
{
    auto kept = std::make_shared<T>(std::move(value));
    QThreadPool::globalInstance()->start([kept = std::move(kept)]() mutable { kept.reset(); });
}

} // namespace tasuki
