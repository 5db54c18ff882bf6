// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes down the functions of the mpi.h that the tracer is built for, as calls of macros:
//   real.inc         TASUKI_REAL(Name)                     all, to be found behind the tracer
//   profiled.inc     TASUKI_PROFILED(Name, (parameters), (names))     all calls: their PMPI_ form
//   othercalls.inc   TASUKI_OTHER_CALL(Name, (parameters), (names))   calls that no source stands in for
//   otherstates.inc  TASUKI_OTHER_STATE(Name)              the same, without what needs mpi.h
#include "mpiheader.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

using tasuki::tracer::MpiFunction;

std::string readText(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || text.empty())
        throw std::runtime_error("cannot read '" + path + "'");
    return text;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string lineOf(const char* macro, const MpiFunction& function)
{
    return std::string(macro) + "(" + function.name + ", (" + joined(function.parameters) + "), ("
        + joined(function.names) + "))\n";
}

void write(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush())
        throw std::runtime_error("cannot write '" + path.string() + "'");
}

/// @param arguments  the directory, the header after the preprocessor, sources
void generate(const std::vector<std::string>& arguments)
{
    const std::vector<MpiFunction> functions = tasuki::tracer::mpiFunctions(
        readText(arguments.at(1)));
    if (functions.empty())
        throw std::runtime_error("'" + arguments[1] + "' declares no function PMPI_...");
    std::vector<std::string> byHand;
    for (std::size_t i = 2; i < arguments.size(); ++i)
        std::ranges::copy(tasuki::tracer::namesInSource(readText(arguments[i])),
                          std::back_inserter(byHand));
    std::string real;
    std::string profiled;
    std::string calls;
    std::string states;
    for (const MpiFunction& function : functions) {
        real += "TASUKI_REAL(" + function.name + ")\n";
        if (!function.isCall())
            continue;
        profiled += lineOf("TASUKI_PROFILED", function);
        if (std::ranges::find(byHand, function.name) != byHand.end())
            continue;
        calls += lineOf("TASUKI_OTHER_CALL", function);
        states += "TASUKI_OTHER_STATE(" + function.name + ")\n";
    }
    const std::filesystem::path directory = arguments.front();
    write(directory / "real.inc", real);
    write(directory / "profiled.inc", profiled);
    write(directory / "othercalls.inc", calls);
    write(directory / "otherstates.inc", states);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: tracergenerator DIRECTORY PREPROCESSED_MPI_H SOURCE...\n");
        return 2;
    }
    try {
        generate({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracergenerator: %s\n", error.what());
        return 1;
    }
    return 0;
}
