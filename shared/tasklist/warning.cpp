// SPDX-License-Identifier: GPL-3.0-or-later
#include "warning.h"

#include "duration.h"

#include <array>
#include <charconv>
#include <csignal>

namespace tasuki {

namespace {

struct SignalName {
    std::string_view name;
    int number;
};

constexpr std::array<SignalName, 12> signalNames{{{"HUP", SIGHUP},
                                                  {"INT", SIGINT},
                                                  {"QUIT", SIGQUIT},
                                                  {"USR1", SIGUSR1},
                                                  {"USR2", SIGUSR2},
                                                  {"ALRM", SIGALRM},
                                                  {"TERM", SIGTERM},
                                                  {"CONT", SIGCONT},
                                                  {"URG", SIGURG},
                                                  {"XCPU", SIGXCPU},
                                                  {"WINCH", SIGWINCH},
                                                  {"PWR", SIGPWR}}};
constexpr int highestSignal = 64;

/// @return the number of a signal; 0: there is none of that name
int signalOf(std::string_view text)
{
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number > 0 && number <= highestSignal)
        return number;
    if (text.starts_with("SIG"))
        text.remove_prefix(3);
    for (const SignalName& known : signalNames) {
        if (known.name == text)
            return known.number;
    }
    return 0;
}

} // namespace

Result<EndWarning> parseWarning(std::string_view text)
{
    const std::size_t at = text.find('@');
    const int number = at == std::string_view::npos ? 0 : signalOf(text.substr(0, at));
    if (number == 0)
        return Error{
            .kind = ErrorKind::Input,
            .message = "\"" + std::string(text) + "\" is not a signal and a time",
            .remedy = "write it like USR1@60s, with HUP, INT, QUIT, USR1, USR2, ALRM, TERM, "
                      "CONT, URG, XCPU, WINCH, PWR or a number up to 64"};
    const Result<std::chrono::milliseconds> before = parseDuration(text.substr(at + 1));
    if (!before)
        return before.error();
    return EndWarning{.signalNumber = number, .before = *before};
}

std::string formatWarning(const EndWarning& warning)
{
    std::string name = std::to_string(warning.signalNumber);
    for (const SignalName& known : signalNames) {
        if (known.number == warning.signalNumber)
            name = known.name;
    }
    return name + '@' + formatDuration(warning.before);
}

} // namespace tasuki
