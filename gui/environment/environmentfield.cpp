// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentfield.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

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

constexpr QChar plusMinus(0x00B1);
constexpr int significantDigits = 6;
constexpr int mostDecimals = 12;
/// Between these, numbers are written without an exponent.
constexpr double leastPlain = 1e-7;
constexpr double mostPlain = 1e13;

QString ruleWord(std::string_view word) { return EnvironmentField::tr(std::string(word).c_str()); }

template <class Rule>
QString expectation(const Rule& rule)
{
    const auto example = QString::fromUtf8(rule.example.data(),
                                           static_cast<qsizetype>(rule.example.size()));
    return EnvironmentField::tr("Expected %1, e.g. %2.").arg(ruleWord(rule.expected), example);
}

bool isPlain(double value)
{
    return value == 0.0 || (std::abs(value) >= leastPlain && std::abs(value) < mostPlain);
}

QString exact(double value)
{
    return QString::number(value, isPlain(value) ? 'f' : 'g', QLocale::FloatingPointShortest);
}

/// Rounded to six digits, more only before the point.
QString rounded(double value)
{
    if (!isPlain(value))
        return QString::number(value, 'g', significantDigits);
    const int before = value == 0.0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
    const int decimals = std::clamp(significantDigits - 1 - before, 0, mostDecimals);
    QString text = QString::number(value, 'f', decimals);
    if (decimals == 0)
        return text;
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

QString withInterval(const QString& value, const QString& interval)
{
    return value + QLatin1Char(' ') + plusMinus + QLatin1Char(' ') + interval;
}

QString exactFigure(double value, plan::Confidence interval)
{
    return interval ? withInterval(exact(value), exact(*interval)) : exact(value);
}

/// As many digits as the interval makes known: "60.1 ± 0.4", "0.80 ± 0.12".
QString roundedFigure(double value, plan::Confidence interval)
{
    if (!interval)
        return rounded(value);
    if (*interval == 0.0 || !isPlain(*interval) || !isPlain(value))
        return withInterval(rounded(value), rounded(*interval));
    const double exponent = std::floor(std::log10(*interval));
    const double leading = *interval / std::pow(10.0, exponent);
    constexpr double coarse = 1.95; // one digit would be off by up to a half
    const int digits = leading < coarse ? 2 : 1;
    const int decimals = std::clamp(digits - 1 - static_cast<int>(exponent), 0, mostDecimals);
    return withInterval(QString::number(value, 'f', decimals),
                        QString::number(*interval, 'f', decimals));
}

struct Figure {
    double value = 0.0;
    plan::Confidence interval;
};

/// @return the text and what stands behind its ±, which may be typed as +- too
std::pair<QString, std::optional<QString>> splitFigure(const QString& text)
{
    for (const QString& sign : {QString(plusMinus), QStringLiteral("+/-"), QStringLiteral("+-")}) {
        if (const qsizetype at = text.indexOf(sign); at >= 0)
            return {text.left(at), text.mid(at + sign.size())};
    }
    return {text, std::nullopt};
}

/// @return what is wrong; empty: the figure is read
QString readFigure(const QString& text, const plan::NumberRule& rule,
                   const plan::NumberRule& intervalRule, Figure& figure)
{
    const auto [valueText, intervalText] = splitFigure(text);
    const auto value = plan::parseNumber(valueText.toStdString(), rule);
    if (!value)
        return expectation(rule);
    plan::Confidence interval;
    if (intervalText) {
        interval = plan::parseNumber(intervalText->toStdString(), intervalRule);
        if (!interval) {
            return EnvironmentField::tr("Behind %1: %2")
                .arg(QString(plusMinus), expectation(intervalRule));
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
    case NodeField::Speed: return exactFigure(node.speed, node.speedConfidence);
    case NodeField::Slots: return QString::number(node.slots);
    case NodeField::Cores: return QString::number(node.cores);
    case NodeField::Egress: return exact(node.egressUsPerByte);
    case NodeField::Ingress: return exact(node.ingressUsPerByte);
    }
    return {};
}

QString editText(const plan::LinkSpec& link, LinkFigure figure)
{
    return figure == LinkFigure::A0 ? exactFigure(link.a0Us, link.a0Confidence)
                                    : exactFigure(link.a1UsPerByte, link.a1Confidence);
}

QString editText(const GeneralSpec& general, GeneralField field)
{
    if (field == GeneralField::TraceSpeed)
        return exact(general.traceSpeed);
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
    case NodeField::Speed: return roundedFigure(node.speed, node.speedConfidence);
    case NodeField::Egress: return rounded(node.egressUsPerByte);
    case NodeField::Ingress: return rounded(node.ingressUsPerByte);
    case NodeField::Name:
    case NodeField::Slots:
    case NodeField::Cores: break;
    }
    return editText(node, field);
}

QString shownText(const plan::LinkSpec& link, LinkFigure figure)
{
    return figure == LinkFigure::A0 ? roundedFigure(link.a0Us, link.a0Confidence)
                                    : roundedFigure(link.a1UsPerByte, link.a1Confidence);
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
