// SPDX-License-Identifier: GPL-3.0-or-later
#include "probefollower.h"

#include "speedrun.h"

#include <cassert>

namespace tasuki::probe {

namespace {

std::vector<Exchange> exchangesIn(const std::vector<std::uint64_t>& words)
{
    std::vector<Exchange> exchanges;
    for (std::size_t i = 1; i + 1 < words.size(); i += 2)
        exchanges.push_back({.bytes = words[i], .repetitions = words[i + 1]});
    return exchanges;
}

std::vector<ProbeChannel::Stream> streamsIn(const std::vector<std::uint64_t>& words)
{
    std::vector<ProbeChannel::Stream> streams;
    for (std::size_t i = 1; i + 1 < words.size(); i += 2)
        streams.push_back({.peer = static_cast<int>(words[i]), .messages = words[i + 1]});
    return streams;
}

void compute(ProbeChannel& channel, SpeedRun& speed, const Order& order)
{
    assert(order.words.size() == 3);
    const SpeedRun::Task task{.work = order.words[0],
                              .span = std::chrono::microseconds(order.words[1]),
                              .fewest = order.words[2]};
    speed.run(
        task, [&channel](const std::vector<double>& times) { channel.answer(times); },
        [&channel] { return channel.orderWaits(); });
    [[maybe_unused]] const Order rest = channel.takeOrder();
    assert(rest.kind == OrderKind::Rest);
}

} // namespace

std::vector<std::uint64_t> exchangeWords(int peer, const std::vector<Exchange>& exchanges)
{
    std::vector<std::uint64_t> words{static_cast<std::uint64_t>(peer)};
    for (const Exchange& exchange : exchanges)
        words.insert(words.end(), {exchange.bytes, exchange.repetitions});
    return words;
}

void followProbe(ProbeChannel& channel)
{
    SpeedRun speed;
    for (;;) {
        const Order order = channel.takeOrder();
        const auto peer = [&order] { return static_cast<int>(order.words.front()); };
        switch (order.kind) {
        case OrderKind::Calibrate: channel.answer({speed.calibrate()}); break;
        case OrderKind::Compute: compute(channel, speed, order); break;
        case OrderKind::Rest: break;
        case OrderKind::Lead: channel.answer(channel.lead(peer(), exchangesIn(order.words))); break;
        case OrderKind::Follow: channel.follow(peer(), exchangesIn(order.words)); break;
        case OrderKind::Pour:
            channel.answer({channel.pour(order.words.front() != 0, streamsIn(order.words))});
            break;
        case OrderKind::Join:
            channel.join(order.words.front() != 0, streamsIn(order.words).front());
            break;
        case OrderKind::Send: {
            const ProbeChannel::Sending times = channel.sendOne(peer(), order.words.back());
            channel.answer({times.sentUs, times.answeredUs});
            break;
        }
        case OrderKind::Take: channel.takeOne(peer(), order.words.back()); break;
        case OrderKind::Leave: return;
        }
    }
}

} // namespace tasuki::probe
