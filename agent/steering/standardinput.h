// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <functional>
#include <memory>
#include <string_view>

namespace boost::asio {
class io_context;
}

namespace tasuki::steering {

/// Reads standard input, whatever it is: a pipe, a terminal, a file. On the thread that runs the io_context.
class StandardInput {
public:
    /// Bytes that came; empty: there are no more.
    using Take = std::function<void(Result<std::string_view>)>;

    StandardInput(boost::asio::io_context& context, Take take);
    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;
    ~StandardInput();

    /// Reads once: Take follows, never from inside this call.
    void read();

private:
    class Reading;
    std::shared_ptr<Reading> m_reading;
};

} // namespace tasuki::steering
