// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputdelivery.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki {

namespace {

/// Nothing is asked for while so many bytes wait for the target.
constexpr std::size_t fullQueue = 1U << 20U;
/// What waits for its turn in memory; the rest is on the disk.
constexpr std::size_t mostWaiting = std::size_t{16} << 20U;

std::array<std::string*, 2 * streamCount> textsOf(std::array<CapturedStream, streamCount>& streams)
{
    return {&streams[0].head, &streams[0].tail, &streams[1].head, &streams[1].tail};
}

std::size_t sizeOf(std::array<CapturedStream, streamCount>& streams)
{
    std::size_t size = 0;
    for (const std::string* text : textsOf(streams))
        size += text->size();
    return size;
}

/// What a shell adds when its program is killed is not repeated.
void leaveOutOfShell(const CapturedStream& error, PrintedStretch& printed)
{
    constexpr std::string_view killed = "Killed\n";
    if (!error.head.ends_with(killed) || printed.bytes != error.head.size())
        return;
    printed = {};
    printed.add(std::string_view(error.head).substr(0, error.head.size() - killed.size()));
}

} // namespace

OutputDelivery::OutputDelivery(const RunState& state, Style style, OutputTarget& target,
                               SpoolStore& store, Ports ports, PrintedBook printed)
    : m_state(state),
      m_style(style),
      m_target(target),
      m_store(store),
      m_ports(std::move(ports)),
      m_order(state),
      m_book(std::move(printed))
{
    for (const auto& [task, one] : m_book.outputs())
        m_printed[task] = {PrintedStretch{.bytes = one.standardOutput, .compares = false},
                           PrintedStretch{.bytes = one.standardError, .compares = false}};
}

void OutputDelivery::published(const Event& event)
{
    if (const auto* ended = std::get_if<AttemptFinished>(&event.payload))
        finished(*ended);
    else if (const auto* began = std::get_if<AttemptStarted>(&event.payload))
        started(*began);
    else if (const auto* world = std::get_if<WorldStarted>(&event.payload))
        beginAgain(*world);
    else if (std::holds_alternative<TaskAdded>(event.payload)
             || std::holds_alternative<TaskChanged>(event.payload))
        m_order.changed();
}

/// All that its ranks print is printed, whatever was printed before.
void OutputDelivery::beginAgain(const WorldStarted& event)
{
    std::vector<TaskId> ranks;
    for (const auto& [task, printed] : m_printed) {
        const auto& seat = m_state.task(task).task.settings->seat;
        if (seat && seat->world == event.world)
            ranks.push_back(task);
    }
    for (const TaskId task : ranks) {
        m_printed.erase(task);
        forgetPrinted({task, AttemptNumber(0)});
    }
}

void OutputDelivery::started(const AttemptStarted& event)
{
    if (m_style.order != OutputOrder::Lines || m_givenUp)
        return;
    if (const auto holder = m_ports.holder(event.rank))
        activate(event.key, holder);
}

/// The next attempt writes all that this one has written, and more.
void OutputDelivery::goesOn(const AttemptFinished& event)
{
    const auto active = m_active.find(event.key);
    if (active != m_active.end())
        m_printed[event.key.task] = active->second.flow.printed();
    const CapturedStream& output = event.result.standardOutput;
    const CapturedStream& error = event.result.standardError;
    if (const auto printed = m_printed.find(event.key.task); printed != m_printed.end())
        leaveOutOfShell(error, printed->second[static_cast<std::size_t>(StreamKind::Error)]);
    const auto holder = m_ports.holder(event.rank);
    if (holder && (output.droppedBytes() != 0 || error.droppedBytes() != 0))
        m_ports.release(*holder, event.key);
    m_active.erase(event.key);
}

void OutputDelivery::finished(const AttemptFinished& event)
{
    const bool again = event.disposition == Disposition::Requeue;
    if (again && event.result.outcome == Outcome::Lost)
        return goesOn(event);
    if (again && m_printed.erase(event.key.task) != 0)
        forgetPrinted(event.key); // its world goes back to its start
    std::array<CapturedStream, streamCount> streams{event.result.standardOutput,
                                                    event.result.standardError};
    const bool empty = streams[0].totalBytes == 0 && streams[1].totalBytes == 0;
    const auto active = m_active.find(event.key);
    if (active != m_active.end()) {
        end(active->second, std::move(streams));
    } else if (!empty || m_target.wantsAll()) {
        const auto holder = m_ports.holder(event.rank);
        if (m_style.order == OutputOrder::Lines) {
            end(activate(event.key, holder), std::move(streams));
        } else {
            const std::uint64_t place = m_style.order == OutputOrder::KeepList
                ? m_state.task(event.key.task).task.position
                : ++m_ends;
            Waiting& waiting = m_waiting[{place, event.key}];
            waiting = {.processor = holder, .streams = std::move(streams), .spooled = {}};
            park(waiting);
        }
    }
    poll(); // before what else is said of it
}

OutputDelivery::Active& OutputDelivery::activate(AttemptKey key,
                                                 std::optional<ProcessorId> processor)
{
    FlowStyle style{.live = m_style.order == OutputOrder::Lines, .exact = m_style.exact, .tag = {}};
    const Task& task = m_state.task(key.task).task;
    style.goesOn = task.settings->seat && task.settings->seat->logMb != 0;
    if (m_style.tagged) {
        style.tag = task.links && !task.links->label.empty() ? task.links->label
                                                             : std::to_string(key.task.value());
    }
    const PrintedOutput* const known = m_book.find(key.task);
    const bool ofIt = known != nullptr && known->key == key;
    const auto printed = m_printed.find(key.task);
    const bool ofOthers = !ofIt && style.goesOn && printed != m_printed.end();
    Active active{
        .flow = OutputFlow(key, std::move(style), ofOthers ? printed->second : PrintedStretches{}),
        .processor = processor};
    if (ofIt && m_style.order == OutputOrder::Lines)
        active.flow.startAt(known->standardOutput, known->standardError);
    for (std::size_t i = 0; i < streamCount; ++i) {
        if (m_failed[i])
            active.flow.drop(static_cast<StreamKind>(i));
    }
    return m_active.insert_or_assign(key, std::move(active)).first->second;
}

void OutputDelivery::end(Active& active, std::array<CapturedStream, streamCount> streams)
{
    active.kept = streams[0].droppedBytes() != 0 || streams[1].droppedBytes() != 0;
    active.flow.ended(std::move(streams[0]), std::move(streams[1]));
    if (m_givenUp)
        active.flow.lost(*m_givenUp);
    else if (!active.processor)
        active.flow.lost("the processor that ran it is lost");
}

/// Puts what waits on the disk when much does; a disk that is full leaves it in memory.
void OutputDelivery::park(Waiting& waiting)
{
    const std::size_t size = sizeOf(waiting.streams);
    if (m_waitingBytes + size <= mostWaiting) {
        m_waitingBytes += size;
        return;
    }
    SpooledBytes spooled(m_store);
    const auto texts = textsOf(waiting.streams);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        waiting.sizes[i] = texts[i]->size();
        if (!spooled.append(*texts[i])) {
            m_waitingBytes += size;
            return;
        }
    }
    for (std::string* text : texts)
        std::string().swap(*text);
    waiting.spooled = std::move(spooled);
}

void OutputDelivery::restore(Waiting& waiting)
{
    if (!waiting.spooled) {
        m_waitingBytes -= sizeOf(waiting.streams);
        return;
    }
    std::uint64_t from = 0;
    const auto texts = textsOf(waiting.streams);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        *texts[i] = waiting.spooled->read(from, waiting.sizes[i]);
        texts[i]->resize(waiting.sizes[i]); // a disk that fails
        from += waiting.sizes[i];
    }
}

/// @return whether the next one has got its turn
bool OutputDelivery::takeTurn()
{
    if (!m_active.empty() || m_waiting.empty())
        return false;
    const auto first = m_waiting.begin();
    const AttemptKey key = std::get<AttemptKey>(first->first);
    if (m_style.order == OutputOrder::KeepList && !m_orderEnded && !m_order.isTurnOf(key.task))
        return false;
    restore(first->second);
    end(activate(key, first->second.processor), std::move(first->second.streams));
    m_waiting.erase(first);
    return true;
}

/// Ranks that run by the record of another master are printed line by line again.
void OutputDelivery::resume()
{
    if (m_style.order != OutputOrder::Lines || m_givenUp)
        return;
    for (const auto& [task, one] : m_book.outputs()) {
        const TaskRecord& record = m_state.task(task);
        const auto& seat = record.task.settings->seat;
        if (record.state == TaskState::Running && seat && !m_active.contains(one.key)
            && one.key.number.value() == record.attempts)
            activate(one.key, m_ports.holder(seat->rank));
    }
}

void OutputDelivery::notePrinted(const OutputBlock& block)
{
    if (m_style.order != OutputOrder::Lines || !m_ports.printed)
        return;
    const TaskId task = block.key.task;
    if (block.last)
        return forgetPrinted(block.key);
    PrintedOutput now{.key = block.key};
    if (const PrintedOutput* const known = m_book.find(task); known != nullptr)
        now = {block.key, known->standardOutput, known->standardError};
    (block.stream == StreamKind::Output ? now.standardOutput : now.standardError) = block.upTo;
    m_book.take(std::span(&now, 1));
    m_news.insert(task);
}

void OutputDelivery::forgetPrinted(AttemptKey key)
{
    if (m_book.find(key.task) == nullptr)
        return;
    const PrintedOutput over{.key = key, .over = true};
    m_book.take(std::span(&over, 1));
    m_news.erase(key.task);
    m_over.push_back(over);
}

void OutputDelivery::tellPrinted()
{
    if (m_news.empty() && m_over.empty())
        return;
    std::vector<PrintedOutput> outputs = std::exchange(m_over, {});
    for (const TaskId task : std::exchange(m_news, {}))
        outputs.push_back(*m_book.find(task));
    if (m_ports.printed)
        m_ports.printed(std::move(outputs));
}

bool OutputDelivery::poll()
{
    if (!std::exchange(m_resumed, true))
        resume();
    bool moved = false;
    for (bool more = true; more;) {
        more = writeQueued();
        if (m_queueBytes < fullQueue) {
            more = takeTurn() || more;
            for (auto place = m_active.begin(); place != m_active.end();) {
                const auto next = std::next(place);
                more = advance(place->first, place->second) || more;
                if (place->second.flow.done()) {
                    if (place->second.kept && place->second.processor)
                        m_ports.release(*place->second.processor, place->first);
                    m_active.erase(place);
                }
                place = next;
            }
        }
        moved = moved || more;
        tellPrinted();
    }
    return moved;
}

/// @return whether anything was taken
bool OutputDelivery::writeQueued()
{
    bool any = false;
    while (!m_queue.empty()) {
        Queued& queued = m_queue.front();
        const OutputBlock& block = queued.block;
        const auto index = static_cast<std::size_t>(block.stream);
        std::size_t count = block.bytes.size() - queued.written;
        if (!m_failed[index]) {
            const Result<std::size_t> taken = m_target.write(block, queued.written);
            if (!taken)
                streamFailed(block.stream, taken.error());
            else
                count = *taken;
        }
        any = any || count != 0;
        queued.written += count;
        m_queueBytes -= count;
        if (queued.written < block.bytes.size())
            break;
        any = true;
        notePrinted(block);
        m_queue.pop_front();
    }
    return any;
}

/// @return whether anything came of it
bool OutputDelivery::advance(AttemptKey key, Active& active)
{
    for (const std::string& complaint : active.flow.takeComplaints()) {
        m_incomplete = true;
        m_ports.say(complaint);
    }
    bool any = false;
    for (OutputBlock& block : active.flow.take()) {
        m_queueBytes += block.bytes.size();
        m_queue.push_back({.block = std::move(block)});
        any = true;
    }
    if (m_queueBytes >= fullQueue || !active.processor || m_givenUp)
        return any;
    if (const auto query = active.flow.ask()) {
        const std::uint32_t number = ++m_lastQuestion;
        m_questions[number] = {.key = key, .processor = *active.processor};
        m_ports.fetch(*active.processor, number, *query, active.flow.runs());
        any = true;
    }
    return any;
}

/// The record has what it has; tasks run on.
void OutputDelivery::streamFailed(StreamKind stream, const Error& error)
{
    m_incomplete = true;
    const bool all = !m_target.wantsAll(); // else it is about two files
    m_ports.say(error.text()
                + (all ? ": what tasks print there is lost but for what the record keeps" : ""));
    if (!all)
        return;
    m_failed[static_cast<std::size_t>(stream)] = true;
    for (auto& [key, active] : m_active)
        active.flow.drop(stream);
}

void OutputDelivery::fetched(std::uint32_t number, FetchedOutput output)
{
    const auto question = m_questions.extract(number);
    if (question.empty())
        return;
    const auto active = m_active.find(question.mapped().key);
    if (active != m_active.end())
        active->second.flow.answered(std::move(output));
}

void OutputDelivery::processorLost(ProcessorId processor)
{
    std::erase_if(m_questions,
                  [&](const auto& item) { return item.second.processor == processor; });
    for (auto& [key, active] : m_active) {
        if (active.processor != processor)
            continue;
        active.processor.reset();
        active.flow.lost("the processor that ran it is lost");
    }
    for (auto& [turn, waiting] : m_waiting) {
        if (waiting.processor == processor)
            waiting.processor.reset();
    }
}

void OutputDelivery::giveUp(const std::string& reason)
{
    if (m_givenUp)
        return;
    m_givenUp = reason;
    m_questions.clear();
    for (auto& [key, active] : m_active)
        active.flow.lost(reason);
}

bool OutputDelivery::done() const
{
    return m_queue.empty() && m_waiting.empty()
        && std::ranges::none_of(m_active,
                                [](const auto& item) { return !item.second.flow.runs(); });
}

} // namespace tasuki
