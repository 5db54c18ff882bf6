// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distribution.h"

#include "domain/result.h"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <string>
#include <vector>

/// The command lines of the workloads. All ranks read the same words and so come to the same end
/// without a message.
namespace tasuki::workloads {

/// Largest --size: its square still is a count that MPI takes.
inline constexpr int largestSize = 40'000;

/// What every workload can be asked for.
struct CommonOptions {
    bool help = false;
    bool check = true;
    bool where = false;         ///< tell each rank's host
    bool loseMessage = false;   ///< forget what one message said, so that the check must fail
    bool restartPoints = false; ///< of the stencil: each sweep begins with one
    int passes = 1;             ///< how often everything is computed
};

/// @return the options of every workload: "no-check", "where", ...
boost::program_options::options_description commonDescription();

/// @return the parsed words, or an Error of kind Input that names the option; never throws
Result<boost::program_options::variables_map> parseWords(
    const std::string& program, const std::vector<std::string>& words,
    const boost::program_options::options_description& options);

/// @return the options of commonDescription(), or an Error of kind Input
Result<CommonOptions> commonOptions(const boost::program_options::variables_map& values);

/// @return an Error of kind Input: the option has a value that is not what was expected
Error badValue(const std::string& option, const std::string& value, const std::string& expected);

/// @return the whole number that an option has, or an Error when it is none or out of its limits
Result<int> numberOption(const boost::program_options::variables_map& values,
                         const std::string& option, int least, int most);
/// @return numbers from `least` to `most` with a separator between them, such as 4:2:1:1; empty
///         when the text is anything else
std::vector<int> numbersIn(const std::string& text, char separator, int least, int most);

/// A distribution by name.
struct NamedDistribution {
    std::string name;
    Distribution distribution;
};

/// Adds "size", "distribution", "shares" and, where cyclic is offered, "width".
/// @param ofWhat  what "size" counts
/// @param usual  the name of the default: "cyclic", "block" or "uneven"
void describeDistribution(boost::program_options::options_description& options, const char* ofWhat,
                          bool withCyclic, const char* usual);
/// @return what the options of describeDistribution() say, or an Error of kind Input
Result<NamedDistribution> distributionOption(const boost::program_options::variables_map& values,
                                             int ranks);

} // namespace tasuki::workloads
