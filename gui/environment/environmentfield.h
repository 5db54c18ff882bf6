// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/environment.h"
#include "plan/environmentrules.h"

#include <QString>

#include <array>
#include <cstdint>

/// What an operator can edit of an environment, as texts of cells. Values are checked by the rules
/// of environment files. Numbers have a decimal point in every language, as in the files.
namespace tasuki {

enum class NodeField : std::uint8_t { Name, Speed, Slots, Cores, Egress, Ingress };
inline constexpr std::array allNodeFields{NodeField::Name,  NodeField::Speed,  NodeField::Slots,
                                          NodeField::Cores, NodeField::Egress, NodeField::Ingress};

enum class LinkFigure : std::uint8_t { A0, A1, Burst };
inline constexpr std::array allLinkFigures{LinkFigure::A0, LinkFigure::A1, LinkFigure::Burst};

enum class GeneralField : std::uint8_t {
    TraceSpeed,
    EagerBytes,
    SendBufferBytes,
    DefaultA0,
    DefaultA1,
    DefaultBurst,
    InsideA0,
    InsideA1,
    InsideBurst,
};
inline constexpr std::array allGeneralFields{
    GeneralField::TraceSpeed, GeneralField::EagerBytes, GeneralField::SendBufferBytes,
    GeneralField::DefaultA0,  GeneralField::DefaultA1,  GeneralField::DefaultBurst,
    GeneralField::InsideA0,   GeneralField::InsideA1,   GeneralField::InsideBurst};

/// What holds for the whole environment.
struct GeneralSpec {
    double traceSpeed = 1.0;
    std::uint64_t eagerBytes = 0;
    double sendBufferBytes = 0.0;
    plan::LinkSpec linkDefault;
    plan::LinkSpec linkInside;
    bool operator==(const GeneralSpec&) const = default;
};
GeneralSpec generalOf(const plan::Environment& environment);
void setGeneral(plan::Environment& environment, const GeneralSpec& general);

QString fieldName(NodeField field);
QString fieldName(LinkFigure figure);
QString fieldName(GeneralField field);

/// @return what the figure means, in a sentence or two
QString explanation(LinkFigure figure);
/// @return the same; empty: its name says it
QString explanation(GeneralField field);

/// @return the exact text to edit; with its interval where it was measured: "60.12 ± 0.41". Empty:
///         not given; but links say that they have no burst: "0"
QString editText(const plan::NodeSpec& node, NodeField field);
QString editText(const plan::LinkSpec& link, LinkFigure figure);
QString editText(const GeneralSpec& general, GeneralField field);

/// @return the text to show: rounded to what the interval makes known, else to six digits; words
///         where nothing is given
QString shownText(const plan::NodeSpec& node, NodeField field);
QString shownText(const plan::LinkSpec& link, LinkFigure figure);
/// @return what an empty line means, in words; empty: it cannot be empty
QString emptyText(GeneralField field);

/// Whether a value is "not given".
bool isUnset(const plan::NodeSpec& node, NodeField field);
bool isUnset(const plan::LinkSpec& link, LinkFigure figure);

/// Reads a text into the value; one without an interval takes the interval away, as it was not
/// measured. Empty cores, egress, ingress, bursts and send buffers mean "not given".
/// @return what is wrong, for people, and nothing is changed; empty: it was taken
QString setField(plan::NodeSpec& node, NodeField field, const QString& text);
QString setField(plan::LinkSpec& link, LinkFigure figure, const QString& text);
QString setField(GeneralSpec& general, GeneralField field, const QString& text);

} // namespace tasuki
