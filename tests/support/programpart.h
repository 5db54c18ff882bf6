// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki::testing {

/// A main() among others that are linked together; tests/support/testprogram.cpp runs the one that the program is
/// called for.
struct ProgramPart {
    using Run = int (*)(int argc, char** argv);
    /// @param file  of which the name without its ending is the part's
    ProgramPart(const char* file, Run run);
};

} // namespace tasuki::testing

/// What follows is the body of main(int argc, char** argv) of the program that is named as its file is. It stands in
/// the file's own namespace, for other files are compiled with it.
#define TASUKI_TOOL_MAIN()                                                                         \
    static int toolMain(int argc, char** argv);                                                    \
    static const tasuki::testing::ProgramPart toolPart(__FILE__, &toolMain);                       \
    static int toolMain([[maybe_unused]] int argc, [[maybe_unused]] char** argv)
