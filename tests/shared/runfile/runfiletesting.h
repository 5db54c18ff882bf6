// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "runfile/runfilereader.h"
#include "runfile/runfilewriter.h"

#include <QByteArray>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tasuki::testing {

/// Sets a variable of the environment, and puts the old value back.
class Setting {
public:
    Setting(const char* name, const std::string& value) : m_name(name), m_old(qgetenv(name))
    {
        qputenv(name, QByteArray::fromStdString(value));
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting()
    {
        if (m_old.isNull())
            qunsetenv(m_name);
        else
            qputenv(m_name, m_old);
    }

private:
    const char* m_name;
    QByteArray m_old;
};

/// Ends the test program with the error's words when there is no value.
template <class T>
T must(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().text().c_str());
    return std::move(result).value();
}
void must(const Result<void>& result);

/// All events of a file after an id.
std::vector<Event> eventsOf(const std::filesystem::path& path, EventId after = {});
/// @return what replaying the whole file says
Result<void> replayed(const std::filesystem::path& path, std::vector<Event>& events);

/// Names and contents of everything in a directory.
std::map<std::string, std::string> contentsOf(const std::filesystem::path& directory);
void writeFile(const std::filesystem::path& path, const std::string& bytes);

/// The rows of a query as text, NULL as "NULL", through a connection of its own.
std::vector<std::vector<std::string>> query(const std::filesystem::path& path,
                                            const std::string& sql);
/// @return SQLite's words when a statement fails, else nothing
std::string failureOf(const std::filesystem::path& path, const std::string& sql);

/// The beginning of an epoch and then `count` ended attempts of tasks that are added just before,
/// each with `outputBytes` of output. Tasks go on from `firstTask`.
std::vector<Event> simpleEpoch(std::uint32_t epoch, std::uint32_t firstTask, std::uint32_t count,
                               std::size_t outputBytes = 0);

/// A child process that runs a function when told to. To be made before the parent opens what the
/// child is to open too: SQLite's knowledge of its own locks must not be inherited.
class LateChild {
public:
    explicit LateChild(const std::function<int()>& body);
    LateChild(const LateChild&) = delete;
    LateChild& operator=(const LateChild&) = delete;
    ~LateChild();

    /// Lets the function run and waits for its end.
    /// @return its value, or 256 + signal; the child is killed after a minute
    int run();

private:
    int m_pid = -1;
    int m_go = -1;
};

/// Runs a function in a child process at once.
/// @return as LateChild::run()
int inChild(const std::function<int()>& body);

} // namespace tasuki::testing
