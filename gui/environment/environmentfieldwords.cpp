// SPDX-License-Identifier: GPL-3.0-or-later
// What the fields of an environment are called, and what they mean.
#include "environmentfield.h"

#include <QCoreApplication>

namespace tasuki {

namespace {

/// Gives the context of the texts.
struct FieldWords {
    Q_DECLARE_TR_FUNCTIONS(EnvironmentField)
};

} // namespace

QString fieldName(NodeField field)
{
    switch (field) {
    case NodeField::Name: return FieldWords::tr("Name");
    case NodeField::Speed: return FieldWords::tr("Speed");
    case NodeField::Slots: return FieldWords::tr("Slots");
    case NodeField::Cores: return FieldWords::tr("Cores");
    case NodeField::Egress: return FieldWords::tr("Egress");
    case NodeField::Ingress: return FieldWords::tr("Ingress");
    }
    return {};
}

QString fieldName(LinkFigure figure)
{
    switch (figure) {
    case LinkFigure::A0: return QStringLiteral("a0");
    case LinkFigure::A1: return QStringLiteral("a1");
    case LinkFigure::Burst: return FieldWords::tr("Burst");
    }
    return {};
}

QString fieldName(GeneralField field)
{
    switch (field) {
    case GeneralField::TraceSpeed: return FieldWords::tr("Speed of the traced nodes");
    case GeneralField::EagerBytes: return FieldWords::tr("Messages wait above");
    case GeneralField::SendBufferBytes: return FieldWords::tr("Send buffer");
    case GeneralField::DefaultA0: return FieldWords::tr("a0 between nodes");
    case GeneralField::DefaultA1: return FieldWords::tr("a1 between nodes");
    case GeneralField::DefaultBurst: return FieldWords::tr("Burst between nodes");
    case GeneralField::InsideA0: return FieldWords::tr("a0 inside a node");
    case GeneralField::InsideA1: return FieldWords::tr("a1 inside a node");
    case GeneralField::InsideBurst: return FieldWords::tr("Burst inside a node");
    }
    return {};
}

QString explanation(LinkFigure figure)
{
    switch (figure) {
    case LinkFigure::A0: return FieldWords::tr("What every message takes, however short it is");
    case LinkFigure::A1:
        return FieldWords::tr("What each byte of a message takes, but for those of the burst");
    case LinkFigure::Burst:
        return FieldWords::tr("Where a token bucket limits the rate, so many bytes go through at "
                              "once when the link has been idle, and only what is beyond them "
                              "takes a1");
    }
    return {};
}

QString explanation(GeneralField field)
{
    switch (field) {
    case GeneralField::SendBufferBytes:
        return FieldWords::tr("So many bytes wait for each link without their sender. Where it is "
                              "not known, messages that need not wait for their receive always "
                              "fit, and others not at all.");
    case GeneralField::DefaultA0:
    case GeneralField::InsideA0: return explanation(LinkFigure::A0);
    case GeneralField::DefaultA1:
    case GeneralField::InsideA1: return explanation(LinkFigure::A1);
    case GeneralField::DefaultBurst:
    case GeneralField::InsideBurst: return explanation(LinkFigure::Burst);
    case GeneralField::TraceSpeed:
    case GeneralField::EagerBytes: break;
    }
    return {};
}

QString emptyText(GeneralField field)
{
    switch (field) {
    case GeneralField::SendBufferBytes: return FieldWords::tr("not known");
    case GeneralField::DefaultBurst:
    case GeneralField::InsideBurst: return shownText(plan::LinkSpec(), LinkFigure::Burst);
    case GeneralField::TraceSpeed:
    case GeneralField::EagerBytes:
    case GeneralField::DefaultA0:
    case GeneralField::DefaultA1:
    case GeneralField::InsideA0:
    case GeneralField::InsideA1: break;
    }
    return {};
}

} // namespace tasuki
