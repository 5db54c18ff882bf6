// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>

namespace tasuki {

/// Something that cannot wake the reactor by a file descriptor and must be asked instead: MPI.
class Pollable {
public:
    Pollable() = default;
    Pollable(const Pollable&) = delete;
    Pollable& operator=(const Pollable&) = delete;
    virtual ~Pollable() = default;

    /// Does what can be done now, never waits.
    /// @return whether anything moved: then it is asked again at once
    virtual bool poll() = 0;
};

/// A Pollable out of any function, of a Transport's poll() for example.
class PollCall final : public Pollable {
public:
    explicit PollCall(std::function<bool()> call) : m_call(std::move(call)) {}
    bool poll() override { return m_call(); }

private:
    std::function<bool()> m_call;
};

} // namespace tasuki
