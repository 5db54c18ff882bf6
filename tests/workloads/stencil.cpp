// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "relaxation.h"

namespace po = boost::program_options;
using namespace tasuki;
using namespace tasuki::workloads;

namespace {

constexpr int longestEdge = 4096;
constexpr int mostIterations = 10'000'000;

Result<Grid> gridOption(const po::variables_map& values, int ranks)
{
    const auto& text = values["size"].as<std::string>();
    std::vector<int> edges = numbersIn(text, 'x', 1, longestEdge);
    if (edges.size() == 1)
        edges.resize(3, edges.front());
    if (edges.size() != 3) {
        return badValue("size", text,
                        "one edge of a cube, or planes, rows and columns such as 256x64x64; each "
                        "from 1 to "
                            + std::to_string(longestEdge));
    }
    if (edges.front() < ranks) {
        return badValue("size", text,
                        "at least one plane for each of the " + std::to_string(ranks) + " ranks");
    }
    return Grid{.planes = edges[0], .rows = edges[1], .columns = edges[2]};
}

Result<Prepared> prepare(const po::variables_map& values, const Peers& peers,
                         const CommonOptions& common)
{
    const Result<Grid> grid = gridOption(values, peers.size());
    if (!grid)
        return grid.error();
    const Result<int> iterations = numberOption(values, "iterations", 1, mostIterations);
    if (!iterations)
        return iterations.error();
    CommonOptions own = common;
    own.restartPoints = values.count("restart-points") != 0;
    const auto planes = Distribution::blocks(grid->planes, peers.size());
    return Prepared{
        .distribution = "even",
        .size = std::to_string(grid->planes) + 'x' + std::to_string(grid->rows) + 'x'
            + std::to_string(grid->columns),
        .workload = std::make_unique<Relaxation>(peers, *grid, planes, *iterations, own)};
}

} // namespace

int main(int argc, char** argv)
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("size", po::value<std::string>()->value_name("N|AxBxC")->default_value("256x64x64"),
        "planes, rows and columns of the grid; the planes are split");
    add("iterations", po::value<std::string>()->value_name("N")->default_value("1500"),
        "sweeps over the grid");
    add("restart-points", "each sweep begins with a restart point of Tasuki");
    return runProgram(argc, argv,
                      {.name = "stencil",
                       .purpose = "Jacobi sweeps of a 19-point stencil over a pressure in a box, "
                                  "the same number of planes a rank.\n",
                       .options = options,
                       .prepare = prepare,
                       .tolerance = 1e-10});
}
