// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentfield.h"

#include "figuretext.h"
#include "models/wording.h"

#include <QCoreApplication>

namespace tasuki {

namespace {

/// Context of the texts.
struct EnvironmentField {
    Q_DECLARE_TR_FUNCTIONS(EnvironmentField)
};

template <class Rule>
QString expectation(const Rule& rule)
{
    const auto example = QString::fromUtf8(rule.example.data(),
                                           static_cast<qsizetype>(rule.example.size()));
    return EnvironmentField::tr("Expected %1, e.g. %2.")
        .arg(wording::phrase(rule.expected()), example);
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

QString setNumber(double& value, const plan::NumberRule& rule, const QString& text)
{
    const auto typed = plan::parseNumber(text.toStdString(), rule);
    if (!typed)
        return expectation(rule);
    value = *typed;
    return {};
}

QString setName(std::string& name, const QString& text)
{
    std::string typed = text.trimmed().toStdString();
    if (const auto fault = plan::nameFault(typed))
        return EnvironmentField::tr("The name %1.").arg(wording::phrase(*fault));
    name = std::move(typed);
    return {};
}

template <class Number>
QString setWhole(Number& value, const plan::WholeRule& rule, const QString& text)
{
    const auto typed = plan::parseWhole(text.toStdString(), rule);
    if (!typed)
        return expectation(rule);
    value = static_cast<Number>(*typed);
    return {};
}

/// Of what need not be given; empty: it is not.
QString setOptional(double& value, const plan::NumberRule& rule, const QString& text)
{
    if (text.trimmed().isEmpty()) {
        value = 0.0;
        return {};
    }
    return setNumber(value, rule, text);
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
    case GeneralField::DefaultBurst: return {&general.linkDefault, LinkFigure::Burst};
    case GeneralField::InsideA0: return {&general.linkInside, LinkFigure::A0};
    case GeneralField::InsideA1: return {&general.linkInside, LinkFigure::A1};
    case GeneralField::InsideBurst: return {&general.linkInside, LinkFigure::Burst};
    case GeneralField::TraceSpeed:
    case GeneralField::EagerBytes:
    case GeneralField::SendBufferBytes: break;
    }
    return {nullptr, LinkFigure::A0};
}

} // namespace

GeneralSpec generalOf(const plan::Environment& environment)
{
    return {.traceSpeed = environment.traceSpeed,
            .eagerBytes = environment.eagerBytes,
            .sendBufferBytes = environment.sendBufferBytes,
            .linkDefault = environment.linkDefault,
            .linkInside = environment.linkInside};
}

void setGeneral(plan::Environment& environment, const GeneralSpec& general)
{
    environment.traceSpeed = general.traceSpeed;
    environment.eagerBytes = general.eagerBytes;
    environment.sendBufferBytes = general.sendBufferBytes;
    environment.linkDefault = general.linkDefault;
    environment.linkInside = general.linkInside;
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
    switch (figure) {
    case LinkFigure::A0: return exactText(link.a0Us, link.a0Confidence);
    case LinkFigure::A1: return exactText(link.a1UsPerByte, link.a1Confidence);
    case LinkFigure::Burst: return exactText(link.burstBytes);
    }
    return {};
}

QString editText(const GeneralSpec& general, GeneralField field)
{
    if (field == GeneralField::TraceSpeed)
        return exactText(general.traceSpeed);
    if (field == GeneralField::EagerBytes)
        return QString::number(general.eagerBytes);
    if (field == GeneralField::SendBufferBytes)
        return general.sendBufferBytes == 0.0 ? QString() : exactText(general.sendBufferBytes);
    const auto [link, figure] = figureOf(general, field);
    return isUnset(*link, figure) ? QString() : editText(*link, figure);
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
    if (isUnset(link, figure))
        return EnvironmentField::tr("none");
    switch (figure) {
    case LinkFigure::A0: return roundedText(link.a0Us, link.a0Confidence);
    case LinkFigure::A1: return roundedText(link.a1UsPerByte, link.a1Confidence);
    case LinkFigure::Burst: return roundedText(link.burstBytes);
    }
    return {};
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

bool isUnset(const plan::LinkSpec& link, LinkFigure figure)
{
    return figure == LinkFigure::Burst && link.burstBytes == 0.0;
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
    case NodeField::Egress: return setOptional(node.egressUsPerByte, plan::rules::usPerByte, text);
    case NodeField::Ingress:
        return setOptional(node.ingressUsPerByte, plan::rules::usPerByte, text);
    }
    return {};
}

QString setField(plan::LinkSpec& link, LinkFigure figure, const QString& text)
{
    if (figure == LinkFigure::Burst)
        return setOptional(link.burstBytes, plan::rules::bytes, text);
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
    if (field == GeneralField::TraceSpeed)
        return setNumber(general.traceSpeed, plan::rules::speed, text);
    if (field == GeneralField::SendBufferBytes)
        return setOptional(general.sendBufferBytes, plan::rules::bytes, text);
    if (field == GeneralField::EagerBytes)
        return setWhole(general.eagerBytes, plan::rules::eagerBytes, text);
    const auto [link, figure] = figureOf(general, field);
    plan::LinkSpec& target = link == &general.linkDefault ? general.linkDefault
                                                          : general.linkInside;
    return setField(target, figure, text);
}

} // namespace tasuki
