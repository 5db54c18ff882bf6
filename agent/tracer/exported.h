// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Before each function of MPI that the library stands in for. Nothing else is visible outside; see
/// also exports.map.
#define TASUKI_MPI extern "C" __attribute__((visibility("default")))
