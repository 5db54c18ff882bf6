// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordowner.h"

#include "domain/ids.h"
#include "files/streamtext.h"
#include "host/hostidentity.h"

#include <charconv>
#include <fstream>

#include <unistd.h>

namespace tasuki {

namespace {

/// @return 0: there is no such process
std::uint64_t startOf(std::int64_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat", std::ios::binary);
    const std::string text = textOf(file); // nothing, when it ends meanwhile
    // The name, in parentheses, may hold anything; the start is the twentieth word behind it.
    constexpr int startAt = 20;
    std::size_t at = text.rfind(')');
    for (int word = 0; word < startAt && at != std::string::npos; ++word)
        at = text.find(' ', at + 1);
    std::uint64_t start = 0;
    // A dead one that nobody has waited for ("Z") holds nothing any more.
    if (at == std::string::npos || text[text.rfind(')') + 2] == 'Z')
        return 0;
    std::from_chars(text.data() + at + 1, text.data() + text.size(), start);
    return start;
}

template <class Number>
bool takeInteger(std::string_view text, Number& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

} // namespace

RecordOwner RecordOwner::here()
{
    HostIdentity host = hostIdentity();
    const std::int64_t pid = ::getpid();
    return {.token = RunId::random().hex,
            .host = std::move(host.name),
            .system = std::move(host.key),
            .pid = pid,
            .started = startOf(pid),
            .writer = {}};
}

std::string RecordOwner::words() const { return "process " + std::to_string(pid) + " on " + host; }

OwnerLife lifeOf(const RecordOwner& owner)
{
    if (owner.system != hostIdentity().key)
        return OwnerLife::NotSeen;
    return owner.pid > 1 && startOf(owner.pid) == owner.started ? OwnerLife::Lives
                                                                : OwnerLife::Dead;
}

std::string textOf(const RecordOwner& owner)
{
    return "token " + owner.token + "\nhost " + owner.host + "\nsystem " + owner.system + "\npid "
        + std::to_string(owner.pid) + "\nstarted " + std::to_string(owner.started) + "\nepoch "
        + std::to_string(owner.writer.epoch.value()) + "\nterm "
        + std::to_string(owner.writer.term.value()) + "\n";
}

std::optional<RecordOwner> ownerOf(std::string_view text)
{
    RecordOwner owner;
    bool whole = true;
    const auto next = [&](std::string_view name) -> std::string_view {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos || !text.starts_with(name) || end < name.size()) {
            whole = false;
            return {};
        }
        const std::string_view value = text.substr(name.size(), end - name.size());
        text.remove_prefix(end + 1);
        return value;
    };
    owner.token = next("token ");
    owner.host = next("host ");
    owner.system = next("system ");
    whole = takeInteger(next("pid "), owner.pid) && whole;
    whole = takeInteger(next("started "), owner.started) && whole;
    if (!whole || owner.token.empty())
        return std::nullopt;
    if (std::uint32_t epoch = 0; takeInteger(next("epoch "), epoch))
        owner.writer.epoch = Epoch(epoch);
    if (std::uint32_t term = 0; takeInteger(next("term "), term))
        owner.writer.term = Term(term);
    return owner;
}

} // namespace tasuki
