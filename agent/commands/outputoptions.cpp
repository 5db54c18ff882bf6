// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputoptions.h"

#include "files/owndirectories.h"
#include "files/recordmode.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t mostRecorded = 64U << 20U;

Error wrongOutputOption(const std::string& command, const std::string& what, std::string expected)
{
    return Error{
        .kind = ErrorKind::Input, .message = command + ": " + what, .remedy = std::move(expected)};
}

/// @return a number of bytes such as 4096, 64K or 1M
std::optional<std::uint64_t> parseBytes(const std::string& text)
{
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || number > mostRecorded || end - stop > 1)
        return std::nullopt;
    if (stop == end)
        return number;
    switch (*stop) {
    case 'k':
    case 'K': return number << 10U;
    case 'm':
    case 'M': return number << 20U;
    default: return std::nullopt;
    }
}

std::string usualTemporary()
{
    const char* const given = std::getenv("TMPDIR");
    return given != nullptr && *given != '\0' ? given : "/tmp";
}

} // namespace

void addOutputOptions(po::options_description& options, OutputOrder usualOrder)
{
    constexpr std::uint64_t mebibyte = 1U << 20U;
    static_assert(OutputKeeping::usualBytes % mebibyte == 0);
    const std::string usual = std::to_string(OutputKeeping::usualBytes / mebibyte) + 'M';
    auto add = options.add_options();
    const bool byLines = usualOrder == OutputOrder::Lines;
    add("group",
        byLines ? "print what each task has written in one piece when it has ended"
                : "print what each task has written in one piece when it has ended (the "
                  "default)");
    add("keep-order", "as --group, in the order of the list");
    add("line-buffer",
        byLines ? "print whole lines as soon as tasks write them (the default)"
                : "print whole lines as soon as tasks write them");
    add("tag", "put the label of the task, or its number, and a tab in front of each line");
    add("output-dir", po::value<std::string>()->value_name("DIR"),
        "print nothing of tasks; write DIR/TASK.out and DIR/TASK.err, whose names are the numbers of "
        "the tasks, each when the task has ended");
    add("record-output", po::value<std::string>()->value_name("BYTES")->default_value(usual),
        "what the record keeps of each stream of a task: half of it the beginning, half the end; "
        "0 to 64M");
    add("tmpdir", po::value<std::string>()->value_name("DIR"),
        "where longer output is put until it is printed, on each host (default: $TMPDIR or /tmp)");
}

Result<OutputOptions> readOutputOptions(const po::variables_map& values, const std::string& command,
                                        OutputOrder usualOrder)
{
    OutputOptions options;
    options.order = usualOrder;
    const std::array<std::pair<const char*, OutputOrder>, 3> orders{
        {{"group", OutputOrder::Grouped},
         {"keep-order", OutputOrder::KeepList},
         {"line-buffer", OutputOrder::Lines}}};
    const char* chosen = nullptr;
    for (const auto& [name, order] : orders) {
        if (values.count(name) == 0)
            continue;
        if (chosen != nullptr)
            return wrongOutputOption(
                command, std::string("--") + chosen + " and --" + name + " exclude each other",
                "choose one of them");
        chosen = name;
        options.order = order;
    }
    options.tagged = values.count("tag") != 0;
    if (values.count("output-dir") != 0) {
        options.directory = values["output-dir"].as<std::string>();
        if (options.tagged)
            chosen = "tag";
        if (options.tagged || (chosen != nullptr && options.order != OutputOrder::Grouped))
            return wrongOutputOption(
                command, std::string("--output-dir and --") + chosen + " exclude each other",
                "each task has files of its own there");
    }
    const auto record = values["record-output"].as<std::string>();
    const std::optional<std::uint64_t> bytes = parseBytes(record);
    if (!bytes || *bytes > mostRecorded)
        return wrongOutputOption(command, "--record-output '" + record + "' is not valid",
                                 "expected a number of bytes from 0 to 64M, e.g. 4096, 64K or 1M");
    options.recordBytes = *bytes;
    options.temporary = values.count("tmpdir") != 0 ? values["tmpdir"].as<std::string>()
                                                    : usualTemporary();
    return options;
}

Result<void> prepareOutput(const OutputOptions& options, const std::string& command)
{
    std::error_code error;
    if (!std::filesystem::is_directory(options.temporary, error)
        || ::access(options.temporary.c_str(), W_OK | X_OK) != 0)
        return wrongOutputOption(command,
                                 "--tmpdir '" + options.temporary + "': files cannot be made there",
                                 "name a directory on a local disk that you may write to");
    if (!options.directory)
        return {};
    if (isOfStranger(*options.directory) && std::filesystem::is_symlink(*options.directory, error))
        return wrongOutputOption(command,
                                 "--output-dir '" + *options.directory
                                     + "' is a link that another user has put there",
                                 "name a directory");
    const auto mode = recordDirectoryMode();
    if (!mode)
        return mode.error();
    makeOwnDirectories(*options.directory, error, *mode);
    if (error || ::access(options.directory->c_str(), W_OK | X_OK) != 0)
        return wrongOutputOption(
            command, "--output-dir '" + *options.directory + "': files cannot be made there",
            error ? error.message() : "name a directory that you may write to");
    return {};
}

} // namespace tasuki
