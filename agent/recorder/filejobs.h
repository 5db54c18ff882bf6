// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace tasuki {

/// A thread that runs one job after the other, for work on files that the reactor must not wait for.
class FileJobs {
public:
    /// Runs on the file thread. @return what is to be run on the reactor's; may be empty
    using Job = std::function<std::function<void()>()>;

    /// @param post  runs a function on the reactor's thread, from any thread
    explicit FileJobs(std::function<void(std::function<void()>)> post);
    /// Waits until all jobs are done. What they leave for the reactor is not run any more.
    ~FileJobs();
    FileJobs(const FileJobs&) = delete;
    FileJobs& operator=(const FileJobs&) = delete;

    void add(Job job);

private:
    void run();

    const std::function<void(std::function<void()>)> m_post;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true); ///< reactor's thread
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Job> m_jobs;  ///< guarded by m_mutex
    bool m_stopping = false; ///< guarded by m_mutex
    std::thread m_thread;
};

} // namespace tasuki
