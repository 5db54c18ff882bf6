// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "options.h"
#include "peers.h"

#include "domain/result.h"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <functional>
#include <memory>
#include <string>

/// What the workloads have in common: one command line, one measurement, one line of result.
namespace tasuki::workloads {

/// One rank's part of a problem, with the data that it starts from.
class Workload {
public:
    Workload() = default;
    virtual ~Workload() = default;
    Workload(const Workload&) = delete;
    Workload& operator=(const Workload&) = delete;

    /// What is measured. All ranks call it together, once.
    virtual void run() = 0;
    /// After run(), all ranks together. @return on rank 0 how far the result is from what it must
    /// be, relative to its magnitude; elsewhere anything
    [[nodiscard]] virtual double deviation() = 0;
};

/// What a rank is about to run.
struct Prepared {
    std::string distribution; ///< its name
    std::string size;         ///< as printed: 1000, or 256x64x64
    std::unique_ptr<Workload> workload;
};

/// What prepares a Workload whose rows or columns are spread as describeDistribution() offers.
template <class Spread>
Result<Prepared> prepareSpread(const boost::program_options::variables_map& values,
                               const Peers& peers, const CommonOptions& common)
{
    const Result<NamedDistribution> named = distributionOption(values, peers.size());
    if (!named)
        return named.error();
    return Prepared{.distribution = named->name,
                    .size = std::to_string(named->distribution.count()),
                    .workload = std::make_unique<Spread>(peers, named->distribution, common)};
}

/// One of the programs.
struct Program {
    std::string name;
    std::string purpose; ///< for --help, lines that end in line feeds
    boost::program_options::options_description options;
    /// @return an Error of kind Input when the options are wrong
    std::function<Result<Prepared>(const boost::program_options::variables_map& values,
                                   const Peers& peers, const CommonOptions& common)>
        prepare;
    double tolerance = 0; ///< largest deviation() that is rounding alone
};

/// The whole of main(): MPI, options, measurement, check, and the line that rank 0 prints.
///
/// The clock is rank 0's. It starts when all ranks have their data, before rank 0 lets them go, and
/// stops when rank 0 knows that all have finished; the check comes after it. A tracer logs this part.
/// @return the exit code: 0, 1 when the result is wrong, 2 when the options are
int runProgram(int argc, char** argv, const Program& program);

} // namespace tasuki::workloads
