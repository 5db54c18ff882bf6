// SPDX-License-Identifier: GPL-3.0-or-later
#include "namewatch.h"

#include "recordsave.h"
#include "recordsite.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds secondLookPause{100};

} // namespace

NameLook::NameLook(std::filesystem::path named, const Shipping* shipping)
    : m_named(std::move(named)), m_shipping(shipping)
{
    m_identity = identityUnder(m_named).value_or(FreshFile::Identity());
}

NameState NameLook::lookOnce() const
{
    if (m_shipping != nullptr) {
        switch (m_shipping->name()) {
        case ShipmentWriter::Name::Gone: return NameState::Gone;
        case ShipmentWriter::Name::Others: return NameState::Others;
        default: return NameState::Mine;
        }
    }
    const auto now = identityUnder(m_named);
    if (!now && (errno == ENOENT || errno == ENOTDIR))
        return NameState::Gone;
    return !now || now == m_identity ? NameState::Mine : NameState::Others;
}

NameState NameLook::look()
{
    const NameState before = std::exchange(m_last, lookOnce());
    return before == NameState::Mine ? NameState::Mine : m_last;
}

NameState NameLook::lookTwice()
{
    m_last = lookOnce();
    if (m_last == NameState::Mine)
        return m_last;
    std::this_thread::sleep_for(secondLookPause);
    return look();
}

std::vector<std::filesystem::path> namesToSave(const std::filesystem::path& named)
{
    std::vector<std::filesystem::path> names;
    std::error_code error;
    if (std::filesystem::is_directory(named.parent_path(), error))
        names.push_back(nameToSave(named));
    if (const auto root = localRecords())
        names.push_back(nameToSave(*root / named.filename()));
    const std::filesystem::path here = std::filesystem::current_path(error);
    if (!error)
        names.push_back(nameToSave(here / named.filename()));
    return names;
}

NameWatch::NameWatch(std::function<void()> look)
    : m_look(std::move(look)), m_thread([this] { run(); })
{}

NameWatch::~NameWatch()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void NameWatch::run()
{
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, shipmentBeat, [this] { return m_stopping; })) {
        lock.unlock();
        m_look();
        lock.lock();
    }
}

} // namespace tasuki
