// SPDX-License-Identifier: GPL-3.0-or-later
// What MPI promises, in many small cases. Rank 0 prints "ok NAME" or "WRONG NAME" for each: the same under Open MPI and in a world.
// With "beyond" those that hold in a world alone; with "repeatable" those that can be done again by a rank alone: not the ones that
// read files which the others write and delete. With another argument it ends badly: abort, error, window, twice.
#include "worldcases.h"

#include <cstdio>
#include <string>

namespace worldcases {

int rank = 0;
int size = 0;

} // namespace worldcases

namespace {

using namespace worldcases;

/// Ends as no program should. @return if it did not
int endBadly(const std::string& how)
{
    if (how == "abort" && rank == 1)
        MPI_Abort(all, 7);
    if (how == "error")
        MPI_Send(&rank, 1, MPI_INT, size + 5, 0, all);
    if (how == "window") {
        MPI_Win window = MPI_WIN_NULL;
        MPI_Win_create(&rank, sizeof rank, 1, MPI_INFO_NULL, all, &window);
    }
    if (how == "twice")
        MPI_Finalize();
    MPI_Barrier(all);
    return 99;
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    const std::string how = argc > 1 ? argv[1] : "";
    if (!how.empty() && how != "beyond" && how != "repeatable")
        return endBadly(how);
    int wrong = 0;
    std::vector<Case> cases;
    using Theme = std::vector<Case> (*)();
    std::vector<Theme> themes{messageCases,  groupCases,      requestCases,   deliveryCases,
                              typeCases,     collectiveCases, reductionCases, communicatorCases,
                              topologyCases, environmentCases};
    if (how.empty())
        themes.push_back(fileCases);
    if (how == "beyond")
        themes = {beyondCases, beyondFileCases};
    for (const Theme theme : themes)
        for (Case& one : theme())
            cases.push_back(std::move(one));
    for (const Case& one : cases) {
        const int holds = one.holds() ? 1 : 0;
        int everywhere = 0;
        MPI_Allreduce(&holds, &everywhere, 1, MPI_INT, MPI_MIN, all);
        wrong += 1 - everywhere;
        if (rank == 0)
            std::printf("%s %s\n", everywhere != 0 ? "ok" : "WRONG", one.name);
    }
    if (rank == 0)
        std::printf("%d ranks, %d wrong\n", size, wrong);
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
