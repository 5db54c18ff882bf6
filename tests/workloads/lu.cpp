// SPDX-License-Identifier: GPL-3.0-or-later
#include "elimination.h"
#include "program.h"

using namespace tasuki::workloads;

int main(int argc, char** argv)
{
    boost::program_options::options_description options("Options");
    describeDistribution(options, "rows and columns of the matrix", true, "cyclic");
    return runProgram(argc, argv,
                      {.name = "lu",
                       .purpose = "Gaussian elimination of a dense matrix whose columns are spread "
                                  "over the ranks.\n",
                       .options = options,
                       .prepare = prepareSpread<Elimination>,
                       .tolerance = 1e-11});
}
