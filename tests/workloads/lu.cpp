// SPDX-License-Identifier: GPL-3.0-or-later
#include "elimination.h"
#include "program.h"

namespace po = boost::program_options;
using namespace tasuki;
using namespace tasuki::workloads;

namespace {

Result<Prepared> prepare(const po::variables_map& values, const Peers& peers,
                         const CommonOptions& common)
{
    const Result<int> size = numberOption(values, "size", 1, largestSize);
    if (!size)
        return size.error();
    const Result<NamedDistribution> named = distributionOption(values, *size, peers.size());
    if (!named)
        return named.error();
    return Prepared{.distribution = named->name,
                    .size = std::to_string(*size),
                    .workload = std::make_unique<Elimination>(peers, named->distribution, common)};
}

} // namespace

int main(int argc, char** argv)
{
    po::options_description options("Options");
    options.add_options()("size", po::value<std::string>()->value_name("N")->default_value("1000"),
                          "rows and columns of the matrix");
    describeDistribution(options, true, "cyclic");
    return runProgram(argc, argv,
                      {.name = "lu",
                       .purpose = "Gaussian elimination of a dense matrix whose columns are spread "
                                  "over the ranks.\n",
                       .options = options,
                       .prepare = prepare,
                       .tolerance = 1e-11});
}
