// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tasuki::trace {

/// Whether a function of MPI waits for no other task, so that its time is computation.
/// @param name  without "MPI_", in the case of the standard
constexpr bool isLocalCall(std::string_view name)
{
    constexpr std::array beginnings{"Add_error",
                                    "Aint_",
                                    "Alloc_mem",
                                    "Attr_",
                                    "Buffer_attach",
                                    "Cart_map",
                                    "Cart_coords",
                                    "Cart_get",
                                    "Cart_rank",
                                    "Cart_shift",
                                    "Cartdim_get",
                                    "Comm_compare",
                                    "Comm_get_",
                                    "Comm_group",
                                    "Comm_rank",
                                    "Comm_remote_",
                                    "Comm_size",
                                    "Comm_test_inter",
                                    "Dims_create",
                                    "Dist_graph_neighbors",
                                    "Errhandler_",
                                    "Error_",
                                    "Free_mem",
                                    "Get_address",
                                    "Get_count",
                                    "Get_elements",
                                    "Get_hw",
                                    "Get_library",
                                    "Get_processor",
                                    "Get_version",
                                    "Graph_get",
                                    "Graph_map",
                                    "Graph_neighbors",
                                    "Graphdims_get",
                                    "Grequest_complete",
                                    "Group_",
                                    "Info_",
                                    "Is_thread_main",
                                    "Keyval_",
                                    "Op_",
                                    "Pack",
                                    "Query_thread",
                                    "Reduce_local",
                                    "Register_datarep",
                                    "Status_",
                                    "T_",
                                    "Test_cancelled",
                                    "Topo_test",
                                    "Type_",
                                    "Unpack",
                                    "Win_get_",
                                    "Win_shared_query"};
    constexpr std::array ends{"_attr", "_c2f", "_errhandler", "_f2c", "_keyval", "_name"};
    constexpr std::array whole{"Cancel", "Finalized", "Initialized"};
    const auto begins = [name](std::string_view part) { return name.starts_with(part); };
    const auto finishes = [name](std::string_view part) { return name.ends_with(part); };
    const auto is = [name](std::string_view other) { return name == other; };
    const bool isName = name.ends_with("lish_name") || name == "Lookup_name";
    return std::ranges::any_of(beginnings, begins) || std::ranges::any_of(whole, is)
        || (!isName && std::ranges::any_of(ends, finishes));
}

} // namespace tasuki::trace
