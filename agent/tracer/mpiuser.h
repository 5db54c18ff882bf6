// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki::tracer {

/// Whether the program, or a library that it has loaded, is linked with MPI: the tracer and the parts of MPI
/// itself do not count. Shells and other programs inherit the tracer from those that are traced.
bool usesMpi() noexcept;

/// Whether the launcher has started this process, or what started it, as rank 0.
bool isLaunchedFirst() noexcept;

} // namespace tasuki::tracer
