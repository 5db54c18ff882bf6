// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "domain/result.h"
#include "plan/predictor.h"
#include "plan/program.h"
#include "planrequest.h"

#include <filesystem>
#include <stop_token>

namespace tasuki::planner {

/// Does what takes long: reads logs, searches, predicts timelines. Lives on a thread of its own; its
/// functions are called queued, its signals are for the GUI thread.
class PlanWorker : public QObject {
    Q_OBJECT

public:
    void load(quint64 number, const std::filesystem::path& path, const std::stop_token& stop);
    void count(const tasuki::planner::SearchRequest& request, const std::stop_token& stop);
    void search(const tasuki::planner::SearchRequest& request, const std::stop_token& stop);
    void predict(const tasuki::planner::TimelineRequest& request);

Q_SIGNALS:
    void loading(quint64 bytes, quint64 total);
    void loaded(const tasuki::planner::LoadedTrace& trace);
    /// Not when it was stopped.
    void counted(const tasuki::planner::CountResult& result);
    void searching(const tasuki::planner::SearchProgress& progress);
    void searched(const tasuki::planner::SearchResult& result);
    void predicted(const tasuki::planner::TimelineResult& result);

private:
    /// Compiled once for a trace and what the environment says of it.
    Result<std::shared_ptr<const plan::Program>> programOf(
        const std::shared_ptr<const trace::Trace>& trace, std::uint64_t eagerBytes,
        std::vector<Diagnostic>& warnings);
    Result<std::shared_ptr<const plan::Predictor>> predictorOf(const SearchRequest& request,
                                                               std::vector<Diagnostic>& warnings);

    std::shared_ptr<const trace::Trace> m_compiledTrace;
    std::uint64_t m_compiledEagerBytes = 0;
    std::shared_ptr<const plan::Program> m_program;
    std::vector<Diagnostic> m_programWarnings;
};

} // namespace tasuki::planner
