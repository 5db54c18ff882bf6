// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <sstream>
#include <vector>

namespace tasuki::workloads {

namespace po = boost::program_options;

namespace {

constexpr int exitOk = 0;
constexpr int exitWrongResult = 1;
constexpr int exitBadInput = 2;

using Host = std::array<char, 256>;

po::options_description allOptions(const Program& program)
{
    po::options_description options;
    options.add(program.options).add(commonDescription());
    return options;
}

int refuse(const Program& program, const Error& error, const Peers& peers)
{
    if (peers.isRoot())
        std::fprintf(stderr, "%s: error: %s\n", program.name.c_str(), error.text().c_str());
    return exitBadInput;
}

int help(const Program& program, const Peers& peers)
{
    if (peers.isRoot()) {
        std::ostringstream text;
        text << "Usage: mpirun -n RANKS " << program.name << " [options]\n\n"
             << program.purpose << '\n'
             << allOptions(program);
        std::cout << text.str() << std::flush;
    }
    return exitOk;
}

/// @return rank 0's seconds for the work of all; elsewhere anything
double measure(Workload& workload, const Peers& peers)
{
    using Clock = std::chrono::steady_clock;
    peers.arrive();
    const Clock::time_point start = Clock::now();
    peers.release();
    // Who is let go logs before it sends or awaits anything of the work: so a trace has what rank 0
    // measures, and both ends of each of its messages.
    peers.trace(true);
    workload.run();
    peers.arrive();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    peers.trace(false);
    return seconds;
}

void printHosts(const Peers& peers)
{
    Host host{};
    gethostname(host.data(), host.size() - 1);
    if (!peers.isRoot()) {
        peers.send(std::span<const char>(host), 0);
        return;
    }
    for (int rank = 0; rank < peers.size(); ++rank) {
        if (rank > 0)
            peers.receive(std::span<char>(host), rank);
        std::printf("rank=%d host=%s\n", rank, host.data());
    }
}

int runPrepared(const Program& program, const CommonOptions& options, const Prepared& prepared,
                const Peers& peers)
{
    const double seconds = measure(*prepared.workload, peers);
    double deviation = std::numeric_limits<double>::quiet_NaN();
    if (options.check) {
        deviation = prepared.workload->deviation();
        // All ranks leave with the same exit code: mpirun kills those that lag behind a failure.
        peers.shareFromRoot(std::span(&deviation, 1));
    }
    if (options.where)
        printHosts(peers);
    // Not-a-number is not within the tolerance either.
    const bool right = deviation <= program.tolerance;
    const int code = right || !options.check ? exitOk : exitWrongResult;
    if (!peers.isRoot())
        return code;
    const char* verdict = "off";
    if (options.check)
        verdict = right ? "ok" : "failed";
    std::printf(
        "workload=%s distribution=%s size=%s ranks=%d seconds=%.6f check=%s residual=%.3e\n",
        program.name.c_str(), prepared.distribution.c_str(), prepared.size.c_str(), peers.size(),
        seconds, verdict, deviation);
    std::fflush(stdout);
    return code;
}

} // namespace

int runProgram(int argc, char** argv, const Program& program)
{
    const Peers peers(argc, argv);
    try {
        const std::vector<std::string> words(argv + 1, argv + argc);
        const Result<po::variables_map> values = parseWords(program.name, words,
                                                            allOptions(program));
        if (!values)
            return refuse(program, values.error(), peers);
        const Result<CommonOptions> options = commonOptions(*values);
        if (!options)
            return refuse(program, options.error(), peers);
        if (options->help)
            return help(program, peers);
        const Result<Prepared> prepared = program.prepare(*values, peers, *options);
        if (!prepared)
            return refuse(program, prepared.error(), peers);
        return runPrepared(program, *options, *prepared, peers);
    } catch (const std::exception& problem) {
        // Not enough memory, as a rule; the other ranks would wait for this one for ever.
        std::fprintf(stderr, "%s: error: rank %d: %s; try a smaller --size\n", program.name.c_str(),
                     peers.rank(), problem.what());
        MPI_Abort(MPI_COMM_WORLD, exitWrongResult);
        return exitWrongResult;
    }
}

} // namespace tasuki::workloads
