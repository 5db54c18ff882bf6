// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tasuki::tracer {

/// A function of MPI, as a header declares its PMPI_ form.
struct MpiFunction {
    std::string name;                    ///< without PMPI_
    std::string result;                  ///< "int" for all that do something and may fail
    std::vector<std::string> parameters; ///< declarations, each with a name
    std::vector<std::string> names;      ///< of the parameters
    bool variadic = false;               ///< has more parameters than these

    /// Returns an error code and can be passed on: what is not converts a handle, reads the clock, or is
    /// MPI_Pcontrol.
    [[nodiscard]] bool isCall() const
    {
        return result == "int" && !variadic && !name.ends_with("_c2f") && !name.ends_with("_f2c");
    }
};

/// @param text  of mpi.h, after the preprocessor
/// @return the functions in the order of the text, each once
std::vector<MpiFunction> mpiFunctions(std::string_view text);

/// @param text  of a source that stands in for functions, each as `TASUKI_MPI int MPI_Name(`
/// @return their names without MPI_
std::vector<std::string> namesInSource(std::string_view text);

} // namespace tasuki::tracer
