// SPDX-License-Identifier: GPL-3.0-or-later
#include "matching.h"

#include "hashing.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tasuki {

namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Numbers what settings add to the content of a task; equal content has equal numbers.
class SettingsClasses {
public:
    std::uint32_t of(const TaskSettings& settings)
    {
        if (&settings == m_last)
            return m_lastClass;
        const auto next = static_cast<std::uint32_t>(m_byContent.size());
        m_last = &settings;
        m_lastClass = m_byContent
                          .try_emplace({settings.workingDirectory, effective(settings.environment)},
                                       next)
                          .first->second;
        return m_lastClass;
    }

private:
    /// @return the variables by name, each once with the value that wins
    static Environment effective(const Environment& written)
    {
        Environment environment = written;
        std::stable_sort(environment.begin(), environment.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        const auto sameName = [](const auto& a, const auto& b) { return a.first == b.first; };
        const auto kept = std::unique(environment.rbegin(), environment.rend(), sameName).base();
        environment.erase(environment.begin(), kept);
        return environment;
    }

    const TaskSettings* m_last = nullptr;
    std::uint32_t m_lastClass = 0;
    std::map<std::pair<std::string, Environment>, std::uint32_t> m_byContent;
};

/// What makes two tasks the same. The command belongs to a task that lives elsewhere.
struct Content {
    std::string_view command;
    std::uint32_t settingsClass = 0;
    bool operator==(const Content&) const = default;
};

struct ContentHash {
    std::size_t operator()(const Content& content) const
    {
        return combineHash(std::size_t{content.settingsClass}, content.command);
    }
};

constexpr std::uint32_t none = UINT32_MAX;

/// The tasks of one content: linked through a `next` index per task, so that a task costs no
/// allocation of its own.
struct Group {
    std::uint32_t wanted = 0; ///< tasks of the list
    std::uint32_t live = 0;   ///< recorded ones that are not removed
    std::uint32_t firstRecorded = none;
    std::uint32_t lastRecorded = none;
};

class Planner {
public:
    Planner(std::span<const RecordedTask> recorded, std::vector<Task> list)
        : m_recorded(recorded), m_taken(recorded.size(), false)
    {
        m_plan.tasks = std::move(list);
    }

    ResumePlan run()
    {
        match();
        translateLinks();
        classify();
        for (std::size_t i = 0; i < m_recorded.size(); ++i) {
            if (m_recorded[i].removed || m_taken[i])
                continue;
            if (m_recorded[i].task->line == 0)
                keep(m_recorded[i]);
            else
                m_plan.gone.push_back(m_recorded[i].id);
        }
        return std::move(m_plan);
    }

private:
    using Links = std::shared_ptr<const TaskLinks>;

    void keep(const RecordedTask& recorded)
    {
        Task task = *recorded.task;
        task.position = static_cast<std::uint32_t>(m_plan.tasks.size() + m_plan.kept.size());
        const bool same = task.position == recorded.task->position;
        m_plan.kept.push_back({.id = recorded.id,
                               .task = std::move(task),
                               .kind = same ? MatchKind::Same : MatchKind::Changed});
    }

    std::uint32_t groupOf(const Task& task)
    {
        const Content content{.command = task.command,
                              .settingsClass = m_classes.of(*task.settings)};
        const auto next = static_cast<std::uint32_t>(m_groups.size());
        const auto [entry, isNew] = m_groupNumbers.try_emplace(content, next);
        if (isNew)
            m_groups.emplace_back();
        return entry->second;
    }

    void match()
    {
        m_groupNumbers.reserve(std::max(m_recorded.size(), m_plan.tasks.size()));
        std::vector<std::uint32_t> nextRecorded(m_recorded.size(), none);
        for (std::size_t i = 0; i < m_recorded.size(); ++i) {
            assert(i == 0 || m_recorded[i - 1].id < m_recorded[i].id);
            Group& group = m_groups[groupOf(*m_recorded[i].task)];
            const auto index = static_cast<std::uint32_t>(i);
            (group.lastRecorded == none ? group.firstRecorded
                                        : nextRecorded[group.lastRecorded]) = index;
            group.lastRecorded = index;
            group.live += m_recorded[i].removed ? 0U : 1U;
        }
        std::vector<std::uint32_t> groups;
        groups.reserve(m_plan.tasks.size());
        for (const Task& task : m_plan.tasks) {
            groups.push_back(groupOf(task));
            ++m_groups[groups.back()].wanted;
        }

        TaskId nextNew = m_recorded.empty() ? TaskId(0) : m_recorded.back().id.next();
        m_matched.reserve(groups.size());
        m_plan.matches.reserve(groups.size());
        for (const std::uint32_t number : groups) {
            const std::uint32_t index = takeRecorded(m_groups[number], nextRecorded);
            m_matched.push_back(index);
            ResumePlan::Match& match = m_plan.matches.emplace_back();
            if (index == none) {
                match.id = std::exchange(nextNew, nextNew.next());
            } else {
                m_taken[index] = true;
                match.id = m_recorded[index].id;
                match.restored = m_recorded[index].removed;
            }
        }
    }

    /// @return the index of the recorded task for the next occurrence in the list
    std::uint32_t takeRecorded(Group& group, const std::vector<std::uint32_t>& next) const
    {
        while (group.firstRecorded != none) {
            const std::uint32_t index = group.firstRecorded;
            const bool removed = m_recorded[index].removed;
            // `wanted` counts down to what live ones must still cover: a removed one is taken
            // only while more are wanted than live ones are left.
            const bool take = !removed || group.wanted > group.live;
            group.firstRecorded = next[index];
            if (!take)
                continue;
            --group.wanted;
            group.live -= removed ? 0U : 1U;
            return index;
        }
        return none;
    }

    void translateLinks()
    {
        std::unordered_map<const TaskLinks*, Links> translated;
        for (Task& task : m_plan.tasks) {
            if (!task.links || task.links->after.empty())
                continue;
            // The key stays valid: the entry's owner is kept until all are translated.
            Links& links = translated[task.links.get()];
            if (!links) {
                m_originals.push_back(task.links);
                std::vector<SharedGroup> groups;
                for (const SharedGroup& group : task.links->after.groups())
                    groups.push_back(translatedGroup(group));
                links = std::make_shared<const TaskLinks>(TaskLinks{
                    .label = task.links->label, .after = Prerequisites(std::move(groups))});
            }
            task.links = links;
        }
        m_originals.clear();
        m_translatedGroups.clear();
    }

    const SharedGroup& translatedGroup(const SharedGroup& listed)
    {
        SharedGroup& translated = m_translatedGroups[listed.get()];
        if (!translated) {
            TaskGroup final(*listed);
            for (TaskId& id : final) {
                assert(id.value() < m_plan.matches.size());
                id = m_plan.matches[id.value()].id;
            }
            std::sort(final.begin(), final.end());
            translated = std::make_shared<const TaskGroup>(std::move(final));
        }
        return translated;
    }

    void classify()
    {
        for (std::size_t i = 0; i < m_matched.size(); ++i) {
            if (m_matched[i] == none)
                continue;
            ResumePlan::Match& match = m_plan.matches[i];
            const Task& recorded = *m_recorded[m_matched[i]].task;
            const Task& listed = m_plan.tasks[i];
            const bool isNowListed = recorded.line == 0 && listed.line != 0;
            const bool same = !match.restored && !isNowListed
                && recorded.position == listed.position && recorded.stage == listed.stage
                && sameContent(recorded.settings, listed.settings, m_settingsCompared)
                && sameLinks(recorded.links, listed.links);
            match.kind = same ? MatchKind::Same : MatchKind::Changed;
        }
    }

    /// Shared parts are compared once for all tasks that share them.
    template <class T>
    using Compared = std::map<std::pair<const T*, const T*>, bool>;

    template <class T>
    static bool sameContent(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b,
                            Compared<T>& compared)
    {
        if (!a || !b || a == b)
            return a == b;
        const auto [entry, isNew] = compared.try_emplace({a.get(), b.get()}, false);
        if (isNew)
            entry->second = *a == *b;
        return entry->second;
    }

    bool sameLinks(const Links& a, const Links& b)
    {
        if (!a || !b || a == b)
            return a == b;
        const auto [entry, isNew] = m_linksCompared.try_emplace({a.get(), b.get()}, false);
        if (isNew)
            entry->second = a->label == b->label && samePrerequisites(a->after, b->after);
        return entry->second;
    }

    bool samePrerequisites(const Prerequisites& a, const Prerequisites& b)
    {
        const auto same = [this](const SharedGroup& one, const SharedGroup& other) {
            return sameContent(one, other, m_groupsCompared);
        };
        // Records of before know no groups: then only all tasks together tell.
        return std::ranges::equal(a.groups(), b.groups(), same)
            || (a.groups().size() != b.groups().size() && a == b);
    }

    std::span<const RecordedTask> m_recorded;
    std::vector<bool> m_taken;
    ResumePlan m_plan;
    SettingsClasses m_classes;
    std::unordered_map<Content, std::uint32_t, ContentHash> m_groupNumbers;
    std::vector<Group> m_groups;
    std::vector<std::uint32_t> m_matched; ///< by list index: index in m_recorded, or none
    std::vector<Links> m_originals;
    Compared<TaskSettings> m_settingsCompared;
    Compared<TaskLinks> m_linksCompared;
    Compared<TaskGroup> m_groupsCompared;
    std::unordered_map<const TaskGroup*, SharedGroup> m_translatedGroups;
};

} // namespace

ResumePlan resumePlan(std::span<const RecordedTask> recorded, std::vector<Task> list)
{
    return Planner(recorded, std::move(list)).run();
}

} // namespace tasuki
