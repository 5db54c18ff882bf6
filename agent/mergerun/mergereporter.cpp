// SPDX-License-Identifier: GPL-3.0-or-later
#include "mergereporter.h"

#include "domain/sizetext.h"
#include "domain/visibletext.h"
#include "report/progress.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tasuki {

namespace {

std::string seconds(std::chrono::nanoseconds time)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.3f s", std::chrono::duration<double>(time).count());
    return text.data();
}

std::string counted(std::uint64_t count, const std::string& one, const std::string& many)
{
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

std::string stateText(const merge::Exchange& exchange, std::uint64_t writtenBytes,
                      double elapsedSeconds)
{
    using Phase = merge::Exchange::Phase;
    switch (exchange.phase()) {
    case Phase::Gathering: return "waiting for all ranks to have read their files";
    case Phase::Done: return "comparing what the ranks hold";
    case Phase::Agreed:
    case Phase::Over: return "writing, " + sizeText(writtenBytes);
    case Phase::Exchanging: break;
    }
    const merge::RoundProgress progress = exchange.progress();
    const double share = progress.sentShare;
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "round %u of %zu, %3d%% sent", progress.round + 1,
                  progress.rounds, static_cast<int>(share * 100));
    const double spent = std::chrono::duration<double>(progress.elapsed).count();
    std::string line = text.data();
    line += ", " + sizeText(progress.receivedBytes) + " received";
    if (spent > 0) {
        const double rate = static_cast<double>(progress.sentBytes + progress.receivedBytes)
            / spent;
        line += ", " + sizeText(static_cast<std::uint64_t>(rate)) + "/s";
    }
    if (share > 0 && share < 1)
        line += ", " + durationText(spent / share * (1 - share)) + " left of this round";
    return line + ", " + durationText(elapsedSeconds) + " elapsed";
}

} // namespace

MergeReporter::MergeReporter(const MergeOptions& options, const Clock& clock, int columns)
    : m_options(options), m_clock(clock), m_begun(clock.now()), m_line(stderr, columns, clock)
{}

void MergeReporter::say(const std::string& line)
{
    m_line.clear();
    std::fprintf(stderr, "tasuki: %s\n", visible(line, Breaks::Kept).c_str());
    std::fflush(stderr);
}

void MergeReporter::explain(const std::string& line)
{
    m_line.clear();
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

void MergeReporter::tick(const merge::Exchange& exchange, std::uint64_t writtenBytes)
{
    if (m_options.quiet)
        return;
    const double elapsed = std::chrono::duration<double>(m_clock.now() - m_begun).count();
    m_line.show([&](int columns) {
        std::string text = "merge: " + stateText(exchange, writtenBytes, elapsed);
        if (columns > 0 && text.size() > static_cast<std::size_t>(columns))
            text.resize(static_cast<std::size_t>(columns));
        return text;
    });
}

void MergeReporter::list(const std::string& title, const std::vector<std::string>& listings)
{
    m_line.clear();
    std::printf("%s\n", title.c_str());
    for (const std::string& listing : listings) {
        std::fwrite(listing.data(), 1, listing.size(), stdout);
        std::fputc('\n', stdout);
    }
    std::fflush(stdout);
}

void MergeReporter::finish(const merge::Exchange& exchange, std::size_t files,
                           std::uint64_t writtenBytes)
{
    m_line.clear();
    if (m_options.quiet)
        return;
    const merge::MergeMap& result = exchange.result();
    std::uint64_t sent = 0;
    std::uint64_t peak = 0;
    for (const auto& [rank, done] : exchange.dones()) {
        sent += done.sentBytes;
        peak = std::max(peak, done.peakBytes);
    }
    std::string text = "merged " + counted(files, "file", "files") + " into " + m_options.output
        + ": " + counted(result.size(), "entry", "entries") + ", " + sizeText(writtenBytes);
    if (!exchange.dones().empty()) {
        text += "; " + sizeText(sent) + " sent by "
            + counted(exchange.dones().size(), "rank", "ranks") + ", at most " + sizeText(peak)
            + " of memory a rank";
    }
    say(text + ", " + seconds(m_clock.now() - m_begun));
    if (m_options.verbose)
        explain("fingerprint of all ranks' maps: " + result.digest().hex());
}

std::string MergeReporter::resultText(const merge::MergeMap& result, std::uint64_t writtenBytes,
                                      std::chrono::nanoseconds time)
{
    return counted(result.size(), "entry", "entries") + ", " + sizeText(writtenBytes) + " in "
        + seconds(time) + "; fingerprint " + result.digest().hex();
}

std::string MergeReporter::roundText(const merge::View& view, const merge::RoundReport& report)
{
    std::vector<int> numbers;
    for (const ProcessorId rank : view.members)
        numbers.push_back(static_cast<int>(rank.value()));
    return merge::describeRound(view.schedule, numbers, report.round) + ": sent "
        + sizeText(report.sentBytes) + ", received " + sizeText(report.receivedBytes) + " in "
        + seconds(report.duration) + "; " + counted(report.entries, "entry", "entries");
}

} // namespace tasuki
