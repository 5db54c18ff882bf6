// SPDX-License-Identifier: GPL-3.0-or-later
#include "newrecord.h"

#include "domain/runstate.h"
#include "domain/shellword.h"
#include "report/linetext.h"
#include "runfile/livingwriter.h"
#include "runfile/runfilereader.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

/// Beyond that something else is wrong.
constexpr unsigned mostOfADate = 1000;

bool isTaken(const fs::path& name)
{
    std::error_code error;
    const fs::file_status found = fs::symlink_status(name, error);
    return fs::exists(found) && !fs::is_directory(found);
}

/// What is under a name that is taken.
struct Found {
    std::optional<Error> unreadable;
    std::string list;      ///< of another run, as it was given; empty: the same, or none
    std::size_t tasks = 0; ///< that were not removed
    std::size_t done = 0;
    std::size_t failed = 0;
    std::optional<WallTime> begun;    ///< none: nothing is recorded yet
    std::optional<std::string> lives; ///< who writes it now
    std::string missing;              ///< its directory, which does not exist here; empty: it does
};

fs::path wholePath(const fs::path& directory, const fs::path& file)
{
    std::error_code error;
    return fs::weakly_canonical(directory / file, error);
}

Found look(const FarmOptions& options, WallTime now)
{
    Found found;
    Result<RunFileReader> reader = RunFileReader::open(options.runFile);
    RunState state;
    Result<void> replayed = reader ? Result<void>() : Result<void>(reader.error());
    if (reader)
        replayed = reader->replay(
            [&](const Event& event) {
                if (!found.begun)
                    found.begun = event.wallTime;
                return state.apply(event);
            },
            {}, RunFileReader::Outputs::Skip);
    found.lives = livingWriter(options.runFile, reader ? reader->age() : std::nullopt, now);
    if (!replayed) {
        found.unreadable = replayed.error();
        return found;
    }
    found.tasks = state.tasks().size() - state.count(TaskState::Removed);
    found.done = state.count(TaskState::Succeeded);
    found.failed = state.count(TaskState::Failed);
    if (!state.opened())
        return found;
    const RunOpened& opened = *state.opened();
    std::error_code error;
    if (!fs::is_directory(opened.directory, error))
        found.missing = opened.directory;
    const bool same = options.taskList
        && wholePath(fs::current_path(error), *options.taskList)
            == wholePath(opened.directory, opened.taskList);
    if (!same)
        found.list = opened.taskList;
    return found;
}

std::string wordsOf(const Found& found)
{
    std::string text;
    if (found.unreadable) {
        text = ", but " + found.unreadable->message;
    } else {
        text = found.list.empty() ? "; it is a record of "
                                  : "; it is the record of another list, " + found.list + ": ";
        text += std::to_string(found.tasks) + (found.tasks == 1 ? " task, " : " tasks, ")
            + std::to_string(found.done) + " done, " + std::to_string(found.failed) + " failed";
        const std::size_t ended = found.done + found.failed;
        if (found.tasks > ended)
            text += ", " + std::to_string(found.tasks - ended) + " left";
        if (found.begun)
            text += ", begun " + localTimeText(*found.begun);
    }
    if (found.lives)
        text += "; a run writes it now: " + *found.lives;
    if (!found.missing.empty())
        text += "; the directory in which it was started, " + found.missing
            + ", does not exist here";
    return text;
}

struct Offer {
    std::string purpose;
    std::string option;
    std::string note = {};
};

std::vector<Offer> offersFor(const FarmOptions& options, const Found& found, WallTime now)
{
    std::vector<Offer> offers;
    const std::string file = shellWord(options.runFile);
    if (!found.unreadable && !found.lives && found.missing.empty()) {
        const bool program = options.world && !options.world->command.empty();
        offers.push_back({"go on with it:", "--resume " + file,
                          program                 ? "without the program and --"
                              : found.failed != 0 ? "add --retry-failed to run failed tasks again"
                                                  : ""});
    }
    offers.push_back(
        {"begin anew, keep it:", "--new", "record: " + datedName(options.usualRunFile, now)});
    offers.push_back({"under another name:", "--run NAME"});
    offers.push_back({"keep no record:", "--run none"});
    return offers;
}

/// Each on a line of its own, one below the other.
std::string linesOf(const std::vector<Offer>& offers)
{
    constexpr std::size_t purposeWidth = 22;
    std::size_t optionWidth = 0;
    for (const Offer& offer : offers)
        optionWidth = std::max(optionWidth, offer.option.size());
    std::string text;
    for (const Offer& offer : offers) {
        text += "\n  " + offer.purpose + std::string(purposeWidth - offer.purpose.size(), ' ')
            + offer.option;
        if (!offer.note.empty())
            text += std::string(optionWidth - offer.option.size(), ' ') + "  (" + offer.note + ')';
    }
    return text;
}

Result<NewRecord> createUnder(const std::string& name)
{
    Result<RunFileWriter> file = RunFileWriter::create(name, RunId::random());
    if (!file)
        return file.error();
    return NewRecord{.file = std::move(*file), .name = name};
}

Result<NewRecord> createDated(const FarmOptions& options, WallTime now)
{
    std::optional<Error> last;
    for (unsigned number = 1; number <= mostOfADate; ++number) {
        const std::string name = datedName(options.runFile, now, number);
        if (isTaken(name))
            continue;
        Result<NewRecord> made = createUnder(name);
        // Another start makes it just now, or has made it.
        const bool others = !made && (made.error().kind == ErrorKind::InUse || isTaken(name));
        if (!others)
            return made;
        last = made.error();
    }
    return last.value_or(about(options.runFile, ErrorKind::Input,
                               "all names with this date are taken", "choose one with --run"));
}

} // namespace

std::string datedName(const std::string& name, WallTime at, unsigned number)
{
    const fs::path path(name);
    std::string date = localTimeText(at);
    std::erase(date, ':');
    std::ranges::replace(date, ' ', '-');
    std::string dated = path.stem().native() + '-' + date;
    if (number > 1)
        dated += '-' + std::to_string(number);
    return (path.parent_path() / (dated + path.extension().native())).native();
}

Result<NewRecord> beginRecord(const FarmOptions& options, WallTime now)
{
    const bool dated = options.record == RecordChoice::Dated
        || (options.record == RecordChoice::DatedIfTaken && isTaken(options.runFile));
    if (dated)
        return createDated(options, now);
    if (isTaken(options.runFile))
        return takenName(options, now);
    Result<NewRecord> made = createUnder(options.runFile);
    const bool others = !made
        && (made.error().kind == ErrorKind::InUse || isTaken(options.runFile));
    return others && options.record == RecordChoice::DatedIfTaken ? createDated(options, now)
                                                                  : std::move(made);
}

Error takenName(const FarmOptions& options, WallTime now)
{
    const Found found = look(options, now);
    const std::string file = shellWord(options.runFile);
    std::string remedy;
    if (found.lives)
        remedy = "look at it with tasuki-agent show " + file + " or tasuki-agent top " + file
            + "; or ";
    remedy += options.runFileGiven ? "give in place of --run " + file
                                   : std::string("add to the same command");
    return about(options.runFile, ErrorKind::Input, "exists already" + wordsOf(found),
                 remedy + ":" + linesOf(offersFor(options, found, now)));
}

} // namespace tasuki
