// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkresolver.h"

#include "domain/nearest.h"
#include "waitgraph.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace tasuki {

namespace {

constexpr std::size_t mostCycles = 100;
/// Names are compared with all labels; beyond this many unknown ones that takes too long.
constexpr std::size_t mostSuggestions = 100;

class Resolver {
public:
    Resolver(std::vector<Task>& tasks, std::span<const WrittenLinks> written,
             const EarlierTasks& earlier, DiagnosticSink& sink)
        : m_tasks(tasks), m_written(written), m_earlier(earlier), m_sink(sink)
    {}

    void run(std::span<const std::uint64_t> barrierLines)
    {
        indexLabels();
        findLabels();
        link();
        if (!m_waits.empty())
            tellCycles(barrierLines);
    }

private:
    struct Content {
        std::string_view label;
        std::vector<std::uint32_t> after; ///< label numbers, ascending
        auto operator<=>(const Content&) const = default;
    };

    void indexLabels()
    {
        for (const auto& [label, ids] : m_earlier.labels)
            numberOf(label);
        for (const WrittenLinks& written : m_written) {
            if (!written.label.empty())
                m_labels.tasks[numberOf(written.label)].push_back(written.task);
        }
    }

    std::uint32_t numberOf(const std::string& label)
    {
        const auto next = static_cast<std::uint32_t>(m_labels.names.size());
        const auto [entry, isNew] = m_labels.numbers.emplace(label, next);
        if (isNew) {
            m_labels.names.push_back(label);
            m_labels.tasks.emplace_back();
        }
        return entry->second;
    }

    [[nodiscard]] std::span<const TaskId> earlierTasks(std::uint32_t label) const
    {
        const auto found = m_earlier.labels.find(m_labels.names[label]);
        return found == m_earlier.labels.end() ? std::span<const TaskId>() : found->second;
    }

    void findLabels()
    {
        for (const WrittenLinks& written : m_written) {
            LabelWaits waits{.task = written.task, .labels = {}};
            for (const LabelUse& use : written.after) {
                const auto known = m_labels.numbers.find(use.label);
                if (known != m_labels.numbers.end())
                    waits.labels.push_back(known->second);
                else
                    tellUnknown(use);
            }
            std::sort(waits.labels.begin(), waits.labels.end());
            waits.labels.erase(std::unique(waits.labels.begin(), waits.labels.end()),
                               waits.labels.end());
            if (!waits.labels.empty())
                m_waits.push_back(std::move(waits));
        }
    }

    void tellUnknown(const LabelUse& use)
    {
        std::string remedy = "no task has a label; write #TASUKI label=" + use.label
            + " above the one that is meant";
        if (!m_labels.names.empty())
            remedy = "write #TASUKI label=" + use.label + " above the task that is meant";
        if (!m_labels.names.empty() && m_suggestions++ < mostSuggestions)
            remedy = "the nearest is \"" + std::string(nearestName(use.label, m_labels.names))
                + "\"";
        m_sink.error(use.line, use.column, "no task has the label \"" + use.label + "\"",
                     std::move(remedy));
    }

    void link()
    {
        std::map<Content, std::shared_ptr<const TaskLinks>> linksByContent;
        std::vector<SharedGroup> groups(m_labels.names.size());
        std::size_t nextWaits = 0;
        for (const WrittenLinks& written : m_written) {
            Content content{.label = written.label, .after = {}};
            if (nextWaits < m_waits.size() && m_waits[nextWaits].task == written.task)
                content.after = m_waits[nextWaits++].labels;
            const auto [entry, isNew] = linksByContent.try_emplace(std::move(content));
            if (isNew)
                entry->second = std::make_shared<const TaskLinks>(linksOf(entry->first, groups));
            m_tasks[written.task].links = entry->second;
        }
    }

    /// @param groups  of the labels, by their numbers; null: not made yet
    TaskLinks linksOf(const Content& content, std::vector<SharedGroup>& groups) const
    {
        std::vector<SharedGroup> after;
        for (const std::uint32_t label : content.after) {
            if (!groups[label])
                groups[label] = std::make_shared<const TaskGroup>(tasksWith(label));
            after.push_back(groups[label]);
        }
        return {.label = std::string(content.label), .after = Prerequisites(std::move(after))};
    }

    /// @return ascending: earlier tasks have lower ids. A task has one label, so none comes twice.
    [[nodiscard]] TaskGroup tasksWith(std::uint32_t label) const
    {
        const auto earlier = earlierTasks(label);
        TaskGroup group(earlier.begin(), earlier.end());
        for (const std::uint32_t task : m_labels.tasks[label])
            group.emplace_back(m_earlier.count + task);
        return group;
    }

    void tellCycles(std::span<const std::uint64_t> barrierLines)
    {
        const std::vector<WaitCycle> cycles = findWaitCycles(m_tasks, m_labels, m_waits,
                                                             barrierLines, mostCycles + 1);
        for (std::size_t i = 0; i < cycles.size() && i < mostCycles; ++i) {
            const LabelUse& use = useOf(cycles[i].task, m_labels.names[cycles[i].label]);
            m_sink.error(use.line, use.column,
                         "the task of line " + std::to_string(m_tasks[cycles[i].task].line)
                             + " waits for itself: " + cycles[i].path,
                         "a task can come after any other, except below a barrier that waits for "
                         "it; remove one of these");
            if (i + 1 == mostCycles && cycles.size() > mostCycles)
                m_sink.error(use.line, use.column,
                             "more than " + std::to_string(mostCycles)
                                 + " cycles, the others are not listed",
                             "");
        }
    }

    /// Precondition: the task comes after the label.
    [[nodiscard]] const LabelUse& useOf(std::uint32_t task, const std::string& label) const
    {
        const auto written = std::lower_bound(
            m_written.begin(), m_written.end(), task,
            [](const WrittenLinks& a, std::uint32_t b) { return a.task < b; });
        return *std::find_if(written->after.begin(), written->after.end(),
                             [&](const LabelUse& use) { return use.label == label; });
    }

    std::vector<Task>& m_tasks;
    std::span<const WrittenLinks> m_written;
    const EarlierTasks& m_earlier;
    DiagnosticSink& m_sink;
    LabelIndex m_labels;
    std::vector<LabelWaits> m_waits;
    std::size_t m_suggestions = 0;
};

} // namespace

void resolveLinks(std::vector<Task>& tasks, std::span<const WrittenLinks> written,
                  std::span<const std::uint64_t> barrierLines, const EarlierTasks& earlier,
                  DiagnosticSink& sink)
{
    Resolver(tasks, written, earlier, sink).run(barrierLines);
}

} // namespace tasuki
