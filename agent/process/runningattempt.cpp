// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/runningattempt.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace tasuki::guardian {
namespace {

constexpr std::size_t readSize = 64 * 1024;
/// More than a pipe can hold unless its writer had privileges.
constexpr std::size_t restLimit = 2 * 1024 * 1024;

std::chrono::microseconds duration(const timeval& time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

} // namespace

std::size_t CapturedPipe::readSome()
{
    std::array<char, readSize> buffer;
    ssize_t count = 0;
    do {
        count = ::read(m_end.get(), buffer.data(), buffer.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0 && errno == EAGAIN)
        return 0;
    if (count <= 0) {
        m_end.reset();
        return 0;
    }
    m_stream.append({buffer.data(), static_cast<std::size_t>(count)});
    return static_cast<std::size_t>(count);
}

void CapturedPipe::readRestAndClose()
{
    for (std::size_t total = 0; m_end && total < restLimit;) {
        const std::size_t count = readSome();
        if (count == 0)
            break;
        total += count;
    }
    m_end.reset();
}

RunningAttempt::RunningAttempt(std::uint64_t number, Start order,
                               std::shared_ptr<SettingsBlock> block, const Configure& configure,
                               SpoolStore* store)
    : serial(number),
      launch(std::move(order)),
      settings(std::move(block)),
      output(configure.captureHead, configure.captureTail, store),
      error(configure.captureHead, configure.captureTail, store)
{}

bool RunningAttempt::apply(AttemptEvent event)
{
    return std::exchange(phase, nextPhase(phase, event)) != phase;
}

AttemptResult RunningAttempt::takeResult()
{
    AttemptResult result;
    if (imposed) {
        result.outcome = *imposed;
    } else if (WIFSIGNALED(status)) {
        result.outcome = Outcome::Signalled;
        result.code = WTERMSIG(status);
    } else {
        result.code = WEXITSTATUS(status);
        result.outcome = result.code == 0 ? Outcome::Succeeded : Outcome::Failed;
    }
    result.startedAt = startedAt;
    result.elapsed = std::chrono::duration_cast<std::chrono::microseconds>(end - begin);
    result.usage.user = duration(usage.ru_utime);
    result.usage.system = duration(usage.ru_stime);
    result.usage.maxResidentKiB = static_cast<std::uint64_t>(usage.ru_maxrss);
    result.standardOutput = output.stream().take();
    result.standardError = error.stream().take();
    return result;
}

} // namespace tasuki::guardian
