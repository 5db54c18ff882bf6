// SPDX-License-Identifier: GPL-3.0-or-later
#include "prerequisitestext.h"

#include <sqlite3.h>

#include <charconv>
#include <memory>
#include <variant>

namespace tasuki {

namespace {

/// As few tasks as these take less room than a reference.
constexpr std::size_t mostWrittenOut = 8;

constexpr std::string_view eventWord = R"({"event":)";
constexpr std::string_view itemWord = R"(,"item":)";

void addIds(std::string& json, const std::vector<TaskId>& ids)
{
    json += '[';
    for (const TaskId id : ids) {
        if (json.back() != '[')
            json += ',';
        json += std::to_string(id.value());
    }
    json += ']';
}

using Item = std::variant<TaskId, TaskGroup, GroupPlace>;

/// Takes the array apart from its beginning on. What does not fit makes everything fail.
class Parser {
public:
    explicit Parser(std::string_view json) : m_rest(json) {}

    /// @return none when the text is anything else
    std::optional<std::vector<Item>> items()
    {
        std::vector<Item> found;
        const bool good = list([&] {
            std::optional<Item> next = item();
            if (next)
                found.push_back(std::move(*next));
            return next.has_value();
        });
        return good && m_rest.empty() ? std::optional(std::move(found)) : std::nullopt;
    }

private:
    bool take(std::string_view text)
    {
        const bool there = m_rest.starts_with(text);
        m_rest.remove_prefix(there ? text.size() : 0);
        return there;
    }

    template <class Number>
    bool takeNumber(Number& number)
    {
        const char* const end = m_rest.data() + m_rest.size();
        const auto [next, error] = std::from_chars(m_rest.data(), end, number);
        m_rest = {next, end};
        return error == std::errc();
    }

    template <class TakeItem>
    bool list(TakeItem takeItem)
    {
        if (!take("["))
            return false;
        if (take("]"))
            return true;
        do {
            if (!takeItem())
                return false;
        } while (take(","));
        return take("]");
    }

    std::optional<Item> item()
    {
        std::uint32_t id = 0;
        if (m_rest.starts_with('[')) {
            TaskGroup group;
            const bool good = list([&] {
                const bool isNumber = takeNumber(id);
                const bool ascends = group.empty() || group.back() < TaskId(id);
                group.emplace_back(id);
                return isNumber && ascends;
            });
            return good && !group.empty() ? std::optional<Item>(std::move(group)) : std::nullopt;
        }
        GroupPlace place;
        if (take(eventWord)) {
            const bool good = takeNumber(place.first) && take(itemWord) && takeNumber(place.second)
                && take("}");
            return good ? std::optional<Item>(place) : std::nullopt;
        }
        return takeNumber(id) ? std::optional<Item>(TaskId(id)) : std::nullopt;
    }

    std::string_view m_rest;
};

} // namespace

std::string PrerequisitesWriter::text(const Prerequisites& after, std::int64_t event)
{
    std::size_t tasks = 0;
    for (const SharedGroup& group : after.groups())
        tasks += group->size();
    std::string json;
    if (tasks <= mostWrittenOut) {
        addIds(json, after.ids());
        return json;
    }
    json = "[";
    std::uint32_t item = 0;
    for (const SharedGroup& group : after.groups()) {
        if (item != 0)
            json += ',';
        const auto [known, isNew] = m_places.try_emplace(group, event, item++);
        if (isNew) {
            m_new.push_back(group);
            addIds(json, *group);
        } else {
            json += eventWord;
            json += std::to_string(known->second.first);
            json += itemWord;
            json += std::to_string(known->second.second) + '}';
        }
    }
    return json + ']';
}

void PrerequisitesWriter::forget()
{
    for (const SharedGroup& group : m_new)
        m_places.erase(group);
    m_new.clear();
}

Result<std::optional<Prerequisites>> PrerequisitesReader::read(Database& database,
                                                               std::string_view text,
                                                               std::int64_t event)
{
    auto items = Parser(text).items();
    if (!items)
        return std::optional<Prerequisites>();
    std::vector<SharedGroup> groups;
    std::vector<TaskId> writtenOut;
    for (std::uint32_t i = 0; i < items->size(); ++i) {
        Item& item = (*items)[i];
        if (const auto* id = std::get_if<TaskId>(&item)) {
            writtenOut.push_back(*id);
        } else if (auto* group = std::get_if<TaskGroup>(&item)) {
            SharedGroup& known = m_groups[{event, i}];
            if (!known)
                known = std::make_shared<const TaskGroup>(std::move(*group));
            groups.push_back(known);
        } else {
            auto found = groupAt(database, std::get<GroupPlace>(item));
            if (!found)
                return found.error();
            if (!*found)
                return std::optional<Prerequisites>();
            groups.push_back(std::move(*found));
        }
    }
    if (groups.empty())
        return std::optional(Prerequisites(std::move(writtenOut)));
    const Prerequisites few(std::move(writtenOut));
    groups.insert(groups.end(), few.groups().begin(), few.groups().end());
    return std::optional(Prerequisites(std::move(groups)));
}

/// @return null when there is no such group
Result<SharedGroup> PrerequisitesReader::groupAt(Database& database, GroupPlace place)
{
    if (const auto known = m_groups.find(place); known != m_groups.end())
        return known->second;
    auto row = database.prepare("SELECT prerequisites FROM event WHERE id = ?1");
    if (!row)
        return row.error();
    row->bind(1, place.first);
    const int code = row->step();
    if (code == SQLITE_DONE)
        return SharedGroup();
    if (code != SQLITE_ROW)
        return database.lastError("cannot be read");
    auto items = Parser(row->bytes(0)).items();
    if (!items || place.second >= items->size())
        return SharedGroup();
    auto* const group = std::get_if<TaskGroup>(&(*items)[place.second]);
    if (group == nullptr)
        return SharedGroup();
    return m_groups.emplace(place, std::make_shared<const TaskGroup>(std::move(*group)))
        .first->second;
}

} // namespace tasuki
