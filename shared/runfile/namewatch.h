// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "freshfile.h"
#include "shipping.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tasuki {

enum class NameState : std::uint8_t { Mine, Gone, Others };

/// Tells whether a record is still under its name. Away is what is away twice in a row.
class NameLook {
public:
    /// @param shipping  null: the record lies there itself, and does now; else outlives this
    NameLook(std::filesystem::path named, const Shipping* shipping);

    NameState look();
    /// The same at once, for the end.
    NameState lookTwice();

    /// What it says at this moment, which may pass.
    [[nodiscard]] NameState lookOnce() const;

private:
    std::filesystem::path m_named;
    const Shipping* m_shipping;
    FreshFile::Identity m_identity; ///< of the record itself
    NameState m_last = NameState::Mine;
};

/// Where a record can go on whose name is lost, the best first: beside it, in the directory for live records,
/// in the working directory.
std::vector<std::filesystem::path> namesToSave(const std::filesystem::path& named);

/// Calls a function every two seconds, on a thread of its own, as long as it lives.
class NameWatch {
public:
    explicit NameWatch(std::function<void()> look);
    NameWatch(const NameWatch&) = delete;
    NameWatch& operator=(const NameWatch&) = delete;
    ~NameWatch();

private:
    void run();

    const std::function<void()> m_look;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false; ///< guarded by m_mutex
    std::thread m_thread;
};

} // namespace tasuki
