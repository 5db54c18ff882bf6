// SPDX-License-Identifier: GPL-3.0-or-later
#include "states.h"

#include <array>

namespace tasuki::tracer {

namespace {

constexpr std::array<StateInfo, stateCount> infos{{
    {"INIT", "gray:black"},
    {"FINALIZE", "gray:black"},
    {"SEND", "blue:gray3"},
    {"SSEND", "DeepSkyBlue:gray3"},
    {"BSEND", "SteelBlue:gray3"},
    {"RSEND", "SkyBlue:gray3"},
    {"RECV", "green:light_gray"},
    {"SENDRECV", "SeaGreen:gray"},
    {"SENDRECV_REPLACE", "DarkSeaGreen:gray"},
    {"ISEND", "RoyalBlue:gray3"},
    {"ISSEND", "DodgerBlue:gray3"},
    {"IBSEND", "CornflowerBlue:gray3"},
    {"IRSEND", "LightBlue:gray3"},
    {"IRECV", "LimeGreen:light_gray"},
    {"WAIT", "red:black"},
    {"WAITALL", "OrangeRed:black"},
    {"WAITANY", "coral:black"},
    {"WAITSOME", "tomato:black"},
    {"TEST", "orange:gray2"},
    {"TESTALL", "DarkOrange:gray2"},
    {"TESTANY", "goldenrod:gray2"},
    {"TESTSOME", "gold:gray2"},
    {"PROBE", "SpringGreen:gray"},
    {"IPROBE", "MediumSpringGreen:gray"},
    {"REQUEST_GET_STATUS", "PaleGreen:gray"},
    {"BARRIER", "yellow:dimple3", Words::Collective},
    {"BCAST", "cyan:boxes", Words::Collective},
    {"REDUCE", "purple:2x2", Words::Collective},
    {"ALLREDUCE", "MediumPurple:vlines3", Words::Collective},
    {"GATHER", "magenta:gray", Words::Collective},
    {"GATHERV", "violet:gray", Words::Collective},
    {"SCATTER", "turquoise:gray", Words::Collective},
    {"SCATTERV", "MediumTurquoise:gray", Words::Collective},
    {"ALLGATHER", "orchid:gray", Words::Collective},
    {"ALLGATHERV", "plum:gray", Words::Collective},
    {"ALLTOALL", "DarkViolet:gray", Words::Collective},
    {"ALLTOALLV", "DarkOrchid:gray", Words::Collective},
    {"ALLTOALLW", "BlueViolet:gray", Words::Collective},
    {"REDUCE_SCATTER", "maroon:2x2", Words::Collective},
    {"REDUCE_SCATTER_BLOCK", "firebrick:2x2", Words::Collective},
    {"SCAN", "salmon:2x2", Words::Collective},
    {"EXSCAN", "LightSalmon:2x2", Words::Collective},
    {"COMM_DUP", "khaki:gray", Words::Communicator},
    {"COMM_SPLIT", "tan:gray", Words::Communicator},
    {"COMM_SPLIT_TYPE", "wheat:gray", Words::Communicator},
    {"COMM_CREATE", "burlywood:gray", Words::Communicator},
    {"COMM_CREATE_GROUP", "moccasin:gray", Words::Communicator},
    {"COMM_FREE", "sienna:gray", Words::Communicator},
    {"COMM_DISCONNECT", "chocolate:gray", Words::Communicator},
    {"CART_CREATE", "peru:gray", Words::Communicator},
    {"CART_SUB", "SandyBrown:gray", Words::Communicator},
    {"GRAPH_CREATE", "RosyBrown:gray", Words::Communicator},
    {"DIST_GRAPH_CREATE", "IndianRed:gray", Words::Communicator},
    {"DIST_GRAPH_CREATE_ADJACENT", "brown:gray", Words::Communicator},
    {"INTERCOMM_CREATE", "PaleGoldenrod:gray", Words::Communicator},
    {"INTERCOMM_MERGE", "DarkKhaki:gray", Words::Communicator},
    {"TRACER_SPILL", "black:gray"},
    {"TRACER_OFF", "gainsboro:light_gray"},
#define TASUKI_OTHER_STATE(name) {"MPI_" #name, "DimGray:gray"},
#include "tracer/otherstates.inc"
#undef TASUKI_OTHER_STATE
}};

constexpr int recvId = 155;
constexpr int sendId = 161;
constexpr int firstOtherId = 201;

} // namespace

const StateInfo& stateInfo(State state) { return infos[static_cast<std::size_t>(state)]; }

int beginId(State state)
{
    switch (state) {
    case State::Recv: return recvId;
    case State::Send: return sendId;
    default: return firstOtherId + 2 * static_cast<int>(state);
    }
}

int endId(State state) { return beginId(state) + 1; }

} // namespace tasuki::tracer
