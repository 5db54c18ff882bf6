// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/exchange.h"
#include "merge/digest.h"
#include "merge/mapbuilder.h"
#include "ways.h"

#include <mpi.h>

#include <cstdio>

namespace tasuki::bench {

merge::MergeMap mergeMapOf(const std::vector<Pair>& load)
{
    merge::MapBuilder builder{merge::Law(merge::Law::Kind::Last)};
    for (const Pair& pair : load)
        builder.put({.key = pair.key, .value = pair.value});
    return builder.build();
}

void measure(const merge::MergeMap& map, Outcome& outcome)
{
    merge::Digester digester;
    for (std::size_t index = 0; index < map.size(); ++index) {
        digester.add(map.entry(index).key);
        digester.add(map.entry(index).value);
    }
    outcome.entries = map.size();
    outcome.checkSum = digester.digest().low;
}

Outcome ownWay(const std::vector<Pair>& load, Transport& transport)
{
    const SystemClock clock;
    merge::MergeMap map = mergeMapOf(load);
    Outcome outcome;
    merge::Exchange* running = nullptr;
    merge::Exchange exchange({.keep = {}, .pace = {}, .place = {}, .listing = {}, .peakBytes = {}},
                             std::move(map), transport, clock,
                             {.present = {},
                              .began = {},
                              .roundEnded =
                                  [&outcome](const merge::RoundReport& report) {
                                      outcome.sentBytes += report.sentBytes;
                                  },
                              .lost = {},
                              .agreed = [&running] { running->finish(true); }});
    running = &exchange;
    transport.setHandler([&exchange](ProcessorId from, Message message) {
        exchange.receive(from, std::move(message));
    });
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    exchange.start();
    while (!exchange.over() || transport.pending() > 0) {
        transport.poll();
        exchange.poll();
    }
    outcome.seconds = MPI_Wtime() - begin;
    while (!exchange.quiet())
        transport.poll();
    if (exchange.failure())
        std::fprintf(stderr, "mergebench: %s\n", exchange.failure()->text().c_str());
    else
        measure(exchange.result(), outcome);
    MPI_Barrier(MPI_COMM_WORLD); // nobody begins anew while another one still listens
    return outcome;
}

} // namespace tasuki::bench
