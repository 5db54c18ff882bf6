// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentfield.h"

#include "figuretext.h"

#include <QCoreApplication>

namespace tasuki {

namespace {

/// Context of the texts.
struct EnvironmentField {
    Q_DECLARE_TR_FUNCTIONS(EnvironmentField)
};

constexpr std::array ruleWords{
    QT_TRANSLATE_NOOP("EnvironmentField", "a number above 0, from 0.000001 to 1000000"),
    QT_TRANSLATE_NOOP("EnvironmentField", "a number from 0 to 1000000"),
    QT_TRANSLATE_NOOP("EnvironmentField", "microseconds, a number from 0 to 1e12"),
    QT_TRANSLATE_NOOP("EnvironmentField", "microseconds for a byte, a number from 0 to 1e9"),
    QT_TRANSLATE_NOOP("EnvironmentField", "a whole number from 1 to 4096"),
    QT_TRANSLATE_NOOP("EnvironmentField", "a whole number from 1 to 65536"),
    QT_TRANSLATE_NOOP("EnvironmentField", "a whole number of bytes"),
    QT_TRANSLATE_NOOP("EnvironmentField", "is empty"),
    QT_TRANSLATE_NOOP("EnvironmentField", "is longer than 255 bytes"),
    QT_TRANSLATE_NOOP("EnvironmentField", "has a blank in it"),
    QT_TRANSLATE_NOOP("EnvironmentField", "has a control character in it"),
};

QString ruleWord(std::string_view word) { return EnvironmentField::tr(std::string(word).c_str()); }

template <class Rule>
QString expectation(const Rule& rule)
{
    const auto example = QString::fromUtf8(rule.example.data(),
                                           static_cast<qsizetype>(rule.example.size()));
    return EnvironmentField::tr("Expected %1, e.g. %2.").arg(ruleWord(rule.expected), example);
}

struct Figure {
    double value = 0.0;
    plan::Confidence interval;
};

/// @return what is wrong; empty: the figure is read
QString readFigure(const QString& text, const plan::NumberRule& rule,
                   const plan::NumberRule& intervalRule, Figure& figure)
{
    const auto [valueText, intervalText] = splitInterval(text);
    const auto value = plan::parseNumber(valueText.toStdString(), rule);
    if (!value)
        return expectation(rule);
    plan::Confidence interval;
    if (intervalText) {
        interval = plan::parseNumber(intervalText->toStdString(), intervalRule);
        if (!interval) {
            return EnvironmentField::tr("Behind %1: %2")
                .arg(QString(plusMinusSign), expectation(intervalRule));
        }
    }
    figure = {.value = *value, .interval = interval};
    return {};
}

QString setName(std::string& name, const QString& text)
{
    std::string typed = text.trimmed().toStdString();
    if (const auto fault = plan::nameFault(typed))
        return EnvironmentField::tr("The name %1.").arg(ruleWord(*fault));
    name = std::move(typed);
    return {};
}

QString setWhole(std::uint32_t& value, const plan::WholeRule& rule, const QString& text)
{
    const auto typed = plan::parseWhole(text.toStdString(), rule);
    if (!typed)
        return expectation(rule);
    value = static_cast<std::uint32_t>(*typed);
    return {};
}

/// Of network cards; empty: they are no bottleneck.
QString setCardRate(double& value, const QString& text)
{
    if (text.trimmed().isEmpty()) {
        value = 0.0;
        return {};
    }
    const auto typed = plan::parseNumber(text.toStdString(), plan::rules::usPerByte);
    if (!typed)
        return expectation(plan::rules::usPerByte);
    value = *typed;
    return {};
}

QString setSpeed(plan::NodeSpec& node, const QString& text)
{
    Figure figure;
    const QString problem = readFigure(text, plan::rules::speed, plan::rules::speedInterval,
                                       figure);
    if (!problem.isEmpty())
        return problem;
    node.speed = figure.value;
    node.speedConfidence = figure.interval;
    return {};
}

/// @return the link and figure that a field is; none: it is none
std::pair<const plan::LinkSpec*, LinkFigure> figureOf(const GeneralSpec& general,
                                                      GeneralField field)
{
    switch (field) {
    case GeneralField::DefaultA0: return {&general.linkDefault, LinkFigure::A0};
    case GeneralField::DefaultA1: return {&general.linkDefault, LinkFigure::A1};
    case GeneralField::InsideA0: return {&general.linkInside, LinkFigure::A0};
    case GeneralField::InsideA1: return {&general.linkInside, LinkFigure::A1};
    case GeneralField::TraceSpeed:
    case GeneralField::EagerBytes: break;
    }
    return {nullptr, LinkFigure::A0};
}

} // namespace

GeneralSpec generalOf(const plan::Environment& environment)
{
    return {.traceSpeed = environment.traceSpeed,
            .eagerBytes = environment.eagerBytes,
            .linkDefault = environment.linkDefault,
            .linkInside = environment.linkInside};
}

void setGeneral(plan::Environment& environment, const GeneralSpec& general)
{
    environment.traceSpeed = general.traceSpeed;
    environment.eagerBytes = general.eagerBytes;
    environment.linkDefault = general.linkDefault;
    environment.linkInside = general.linkInside;
}

QString fieldName(NodeField field)
{
    switch (field) {
    case NodeField::Name: return EnvironmentField::tr("Name");
    case NodeField::Speed: return EnvironmentField::tr("Speed");
    case NodeField::Slots: return EnvironmentField::tr("Slots");
    case NodeField::Cores: return EnvironmentField::tr("Cores");
    case NodeField::Egress: return EnvironmentField::tr("Egress");
    case NodeField::Ingress: return EnvironmentField::tr("Ingress");
    }
    return {};
}

QString fieldName(LinkFigure figure)
{
    return figure == LinkFigure::A0 ? QStringLiteral("a0") : QStringLiteral("a1");
}

QString fieldName(GeneralField field)
{
    switch (field) {
    case GeneralField::TraceSpeed: return EnvironmentField::tr("Speed of the traced nodes");
    case GeneralField::EagerBytes: return EnvironmentField::tr("Messages wait above");
    case GeneralField::DefaultA0: return EnvironmentField::tr("a0 between nodes");
    case GeneralField::DefaultA1: return EnvironmentField::tr("a1 between nodes");
    case GeneralField::InsideA0: return EnvironmentField::tr("a0 inside a node");
    case GeneralField::InsideA1: return EnvironmentField::tr("a1 inside a node");
    }
    return {};
}

QString editText(const plan::NodeSpec& node, NodeField field)
{
    if (isUnset(node, field))
        return {};
    switch (field) {
    case NodeField::Name: return QString::fromStdString(node.name);
    case NodeField::Speed: return exactText(node.speed, node.speedConfidence);
    case NodeField::Slots: return QString::number(node.slots);
    case NodeField::Cores: return QString::number(node.cores);
    case NodeField::Egress: return exactText(node.egressUsPerByte);
    case NodeField::Ingress: return exactText(node.ingressUsPerByte);
    }
    return {};
}

QString editText(const plan::LinkSpec& link, LinkFigure figure)
{
    return figure == LinkFigure::A0 ? exactText(link.a0Us, link.a0Confidence)
                                    : exactText(link.a1UsPerByte, link.a1Confidence);
}

QString editText(const GeneralSpec& general, GeneralField field)
{
    if (field == GeneralField::TraceSpeed)
        return exactText(general.traceSpeed);
    if (field == GeneralField::EagerBytes)
        return QString::number(general.eagerBytes);
    const auto [link, figure] = figureOf(general, field);
    return editText(*link, figure);
}

QString shownText(const plan::NodeSpec& node, NodeField field)
{
    if (isUnset(node, field)) {
        return field == NodeField::Cores ? EnvironmentField::tr("not known")
                                         : EnvironmentField::tr("no limit");
    }
    switch (field) {
    case NodeField::Speed: return roundedText(node.speed, node.speedConfidence);
    case NodeField::Egress: return roundedText(node.egressUsPerByte);
    case NodeField::Ingress: return roundedText(node.ingressUsPerByte);
    case NodeField::Name:
    case NodeField::Slots:
    case NodeField::Cores: break;
    }
    return editText(node, field);
}

QString shownText(const plan::LinkSpec& link, LinkFigure figure)
{
    return figure == LinkFigure::A0 ? roundedText(link.a0Us, link.a0Confidence)
                                    : roundedText(link.a1UsPerByte, link.a1Confidence);
}

bool isUnset(const plan::NodeSpec& node, NodeField field)
{
    switch (field) {
    case NodeField::Cores: return node.cores == 0;
    case NodeField::Egress: return node.egressUsPerByte == 0.0;
    case NodeField::Ingress: return node.ingressUsPerByte == 0.0;
    case NodeField::Name:
    case NodeField::Speed:
    case NodeField::Slots: break;
    }
    return false;
}

QString setField(plan::NodeSpec& node, NodeField field, const QString& text)
{
    switch (field) {
    case NodeField::Name: return setName(node.name, text);
    case NodeField::Speed: return setSpeed(node, text);
    case NodeField::Slots: return setWhole(node.slots, plan::rules::slots, text);
    case NodeField::Cores:
        if (!text.trimmed().isEmpty())
            return setWhole(node.cores, plan::rules::cores, text);
        node.cores = 0;
        return {};
    case NodeField::Egress: return setCardRate(node.egressUsPerByte, text);
    case NodeField::Ingress: return setCardRate(node.ingressUsPerByte, text);
    }
    return {};
}

QString setField(plan::LinkSpec& link, LinkFigure figure, const QString& text)
{
    const bool isA0 = figure == LinkFigure::A0;
    const plan::NumberRule& rule = isA0 ? plan::rules::us : plan::rules::usPerByte;
    Figure typed;
    if (QString problem = readFigure(text, rule, rule, typed); !problem.isEmpty())
        return problem;
    (isA0 ? link.a0Us : link.a1UsPerByte) = typed.value;
    (isA0 ? link.a0Confidence : link.a1Confidence) = typed.interval;
    return {};
}

QString setField(GeneralSpec& general, GeneralField field, const QString& text)
{
    if (field == GeneralField::TraceSpeed) {
        const auto typed = plan::parseNumber(text.toStdString(), plan::rules::speed);
        if (!typed)
            return expectation(plan::rules::speed);
        general.traceSpeed = *typed;
        return {};
    }
    if (field == GeneralField::EagerBytes) {
        const auto typed = plan::parseWhole(text.toStdString(), plan::rules::eagerBytes);
        if (!typed)
            return expectation(plan::rules::eagerBytes);
        general.eagerBytes = *typed;
        return {};
    }
    const auto [link, figure] = figureOf(general, field);
    plan::LinkSpec& target = link == &general.linkDefault ? general.linkDefault
                                                          : general.linkInside;
    return setField(target, figure, text);
}

std::span<const char* const> translatedRuleWords() { return ruleWords; }

} // namespace tasuki
