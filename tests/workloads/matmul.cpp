// SPDX-License-Identifier: GPL-3.0-or-later
#include "product.h"
#include "program.h"

using namespace tasuki::workloads;

int main(int argc, char** argv)
{
    boost::program_options::options_description options("Options");
    describeDistribution(options, "rows and columns of each matrix", false, "uneven");
    return runProgram(argc, argv,
                      {.name = "matmul",
                       .purpose = "The product of two dense matrices that rank 0 has; each rank "
                                  "computes some of its rows.\n",
                       .options = options,
                       .prepare = prepareSpread<Product>,
                       .tolerance = 0});
}
