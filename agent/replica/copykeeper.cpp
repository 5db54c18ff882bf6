// SPDX-License-Identifier: GPL-3.0-or-later
#include "copykeeper.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace tasuki::replica {

CopyKeeper::CopyKeeper(Setup setup, CopyStore& store, Send send)
    : m_setup(std::move(setup)), m_store(store), m_send(std::move(send)), m_record(m_setup.original)
{}

void CopyKeeper::give(ProcessorId to, decltype(CopyWord::word) word)
{
    m_send(to, {.conversation = m_conversation, .word = std::move(word)});
}

void CopyKeeper::receive(ProcessorId from, CopyWord word)
{
    if (m_ended || !isOfMaster(word) || word.conversation < m_conversation)
        return;
    const bool isNew = word.conversation > m_conversation;
    if (auto* const lead = std::get_if<Lead>(&word.word)) {
        if (std::exchange(m_conversation, word.conversation) != word.conversation)
            this->lead(std::move(*lead));
        give(from, Led{m_counted});
    } else if (const auto* const asked = std::get_if<Begin>(&word.word); asked && isNew) {
        m_conversation = word.conversation;
        begin(from, *asked);
    } else if (isNew || from != m_master) {
        return;
    } else if (const auto* const behind = std::get_if<Take>(&word.word)) {
        take(behind->after);
    } else if (m_state != State::Kept) {
        return;
    } else if (auto* const rows = std::get_if<Rows>(&word.word)) {
        store(std::move(rows->rows));
    } else if (const auto* const promise = std::get_if<Promise>(&word.word)) {
        m_promise = promise->published;
        m_counted = m_counted && m_stored < promise->published;
    } else if (const auto* const farewell = std::get_if<Farewell>(&word.word)) {
        m_discard = !farewell->keep;
    }
}

/// Whether all that anybody was told is in the file.
bool CopyKeeper::counts() const
{
    return m_counted || (m_state == State::Kept && m_promise && m_stored >= *m_promise);
}

void CopyKeeper::lead(Lead lead)
{
    const bool counted = counts() && !lead.release;
    if (!counted)
        forget();
    m_counted = counted;
    m_record = std::move(lead.place);
}

void CopyKeeper::forget()
{
    m_counted = false;
    m_promise.reset();
    m_discard = false;
    if (std::exchange(m_state, State::None) != State::None)
        m_store.close(false);
}

void CopyKeeper::begin(ProcessorId from, const Begin& begin)
{
    const bool counted = counts();
    forget();
    m_counted = counted;
    m_master = from;
    m_state = State::Opening;
    m_store.open(begin.run, begin.original, termOf(m_conversation),
                 [this, conversation = m_conversation](Result<CopyStore::Opened> opened) {
                     if (m_conversation != conversation || m_state != State::Opening)
                         return;
                     if (!opened) {
                         fail(opened.error().text());
                         return;
                     }
                     m_state = State::There;
                     m_file = std::move(*opened);
                     give(m_master, Have{.place = m_file.place, .marks = m_file.marks});
                 });
}

void CopyKeeper::take(EventId after)
{
    if (m_state != State::There)
        return;
    const EventId latest = m_file.marks.empty() ? EventId{} : m_file.marks.front().id;
    if (after != latest && std::ranges::none_of(m_file.marks, [after](const RecordMark& mark) {
            return mark.id == after;
        })) {
        fail("it was told to begin at an event that it does not have");
        return;
    }
    m_state = State::Kept;
    m_received = after;
    m_stored = after;
    if (after == latest)
        return;
    m_counted = false;
    m_store.cutAfter(after, [this, conversation = m_conversation](const Result<void>& cut) {
        if (m_conversation == conversation && m_state == State::Kept && !cut)
            fail(cut.error().text());
    });
}

void CopyKeeper::store(RecordRows rows)
{
    if (rows.last <= m_received)
        return; // said twice
    if (rows.after != m_received) {
        fail("rows are missing on the way");
        return;
    }
    m_received = rows.last;
    m_store.append(
        std::move(rows),
        [this, conversation = m_conversation, last = m_received](const Result<void>& stored) {
            if (m_conversation != conversation || m_state != State::Kept)
                return;
            if (!stored) {
                fail(stored.error().text());
                return;
            }
            m_stored = last;
            if (m_promise && m_stored >= *m_promise)
                m_counted = false; // in step with this one
            give(m_master, Stored{last});
        });
}

void CopyKeeper::fail(const std::string& reason)
{
    forget();
    give(m_master, Unable{reason});
}

std::optional<RecordPlace> CopyKeeper::succession() const
{
    if (counts())
        return m_file.place;
    const bool reached = m_record.original ? m_setup.seesOriginal : m_record.host == m_setup.host;
    return reached ? std::optional(m_record) : std::nullopt;
}

void CopyKeeper::end()
{
    if (std::exchange(m_ended, true) || m_state == State::None)
        return;
    m_state = State::None;
    m_store.close(m_discard);
}

} // namespace tasuki::replica
