// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme.h"

#include "timeline/timelinepalette.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>
#include <QToolTip>

namespace tasuki::theme {

namespace {

struct Colours {
    QRgb window, base, alternate, text, button, border, dim, highlight, link, disabled;
};

constexpr Colours lightColours{0xfff3f4f6, 0xffffffff, 0xfff7f8fa, 0xff1d232b, 0xffeceef1,
                               0xffb9c0c9, 0xff616b78, 0xff2368a8, 0xff1c5f9e, 0xff8f97a1};
constexpr Colours darkColours{0xff20242b, 0xff171a1f, 0xff1c2026, 0xffe6eaef, 0xff2c323b,
                              0xff4a525e, 0xff9aa4b0, 0xff2f73b5, 0xff7fbcf2, 0xff717b87};

QPalette make(const Colours& c, bool isDark)
{
    const QColor button = QColor::fromRgb(c.button);
    QPalette palette(button, QColor::fromRgb(c.window));
    palette.setColor(QPalette::Window, QColor::fromRgb(c.window));
    palette.setColor(QPalette::Base, QColor::fromRgb(c.base));
    palette.setColor(QPalette::AlternateBase, QColor::fromRgb(c.alternate));
    palette.setColor(QPalette::Button, button);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(role, QColor::fromRgb(c.text));
        palette.setColor(QPalette::Disabled, role, QColor::fromRgb(c.disabled));
    }
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::PlaceholderText, QColor::fromRgb(c.dim));
    palette.setColor(QPalette::ToolTipBase, QColor::fromRgb(isDark ? c.button : c.base));
    palette.setColor(QPalette::ToolTipText, QColor::fromRgb(c.text));
    palette.setColor(QPalette::Highlight, QColor::fromRgb(c.highlight));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(c.border));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor::fromRgb(c.link));
    palette.setColor(QPalette::LinkVisited, QColor::fromRgb(c.link));
    palette.setColor(QPalette::Light, button.lighter(isDark ? 120 : 108));
    palette.setColor(QPalette::Midlight, button.lighter(isDark ? 110 : 103));
    palette.setColor(QPalette::Mid, QColor::fromRgb(c.border));
    palette.setColor(QPalette::Dark, isDark ? QColor(0x12, 0x15, 0x19) : button.darker(140));
    palette.setColor(QPalette::Shadow, isDark ? QColor(0x0b, 0x0d, 0x10) : button.darker(220));
    return palette;
}

/// Fusion draws boxes and circles to be ticked without an edge that is seen on a dark ground.
class EdgedStyle : public QProxyStyle {
public:
    EdgedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool box = element == PE_IndicatorCheckBox;
        if ((!box && element != PE_IndicatorRadioButton) || !isDark(option->palette))
            return;
        painter->save();
        painter->setPen(option->palette.color(QPalette::PlaceholderText));
        if (box) {
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        } else {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setBrush(Qt::NoBrush);
            painter->drawEllipse(QRectF(option->rect).adjusted(1.5, 1.5, -1.5, -1.5));
        }
        painter->restore();
    }
};

/// What the desktop gave the application before it got a palette of ours.
bool systemIsDark()
{
    static const bool dark = isDark(QGuiApplication::palette());
    return dark;
}

QColor fromTimeline(AttemptClass kind, bool onDark)
{
    const QColor bar = QColor::fromRgb(
        (onDark ? TimelinePalette::dark() : TimelinePalette::light()).barOf(kind));
    // Bars are areas; text and small shapes need more contrast.
    return onDark ? bar.lighter(118) : bar.darker(122);
}

} // namespace

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightnessF()
        < palette.color(QPalette::WindowText).lightnessF();
}

QPalette light() { return make(lightColours, false); }
QPalette dark() { return make(darkColours, true); }

void apply(ThemeChoice choice)
{
    const bool system = systemIsDark();
    if (dynamic_cast<const EdgedStyle*>(QApplication::style()) == nullptr)
        QApplication::setStyle(new EdgedStyle);
    const bool wantDark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && system);
    const QPalette palette = wantDark ? dark() : light();
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

QColor state(TaskState state, const QPalette& palette)
{
    const bool onDark = isDark(palette);
    switch (state) {
    case TaskState::Queued: return dim(palette);
    case TaskState::Running: return fromTimeline(AttemptClass::Running, onDark);
    case TaskState::Succeeded: return fromTimeline(AttemptClass::Succeeded, onDark);
    case TaskState::Failed: return fromTimeline(AttemptClass::Failed, onDark);
    case TaskState::Skipped: return onDark ? QColor(0xb9, 0xa1, 0xe6) : QColor(0x73, 0x57, 0xa8);
    case TaskState::Held: return onDark ? QColor(0xe8, 0xb9, 0x3e) : QColor(0x90, 0x66, 0x00);
    case TaskState::Cancelled: return fromTimeline(AttemptClass::Stopped, onDark);
    case TaskState::Removed: break;
    }
    return palette.color(QPalette::Disabled, QPalette::Text);
}

QColor health(ProcessorTreeModel::Health health, const QPalette& palette)
{
    using Health = ProcessorTreeModel::Health;
    switch (health) {
    case Health::Idle: return dim(palette);
    case Health::Busy: return state(TaskState::Running, palette);
    case Health::Lost: return fromTimeline(AttemptClass::Lost, isDark(palette));
    case Health::Left: break;
    }
    return palette.color(QPalette::Disabled, QPalette::Text);
}

QColor condition(Condition condition, const QPalette& palette)
{
    switch (condition) {
    case Condition::Left: break;
    case Condition::Well: return state(TaskState::Succeeded, palette);
    case Condition::Expected: return dim(palette);
    case Condition::Suspect: return state(TaskState::Held, palette);
    case Condition::Condemned:
    case Condition::Fenced:
    case Condition::Lost: return fromTimeline(AttemptClass::Lost, isDark(palette));
    case Condition::Down: return state(TaskState::Failed, palette);
    }
    return palette.color(QPalette::Disabled, QPalette::Text);
}

QColor severity(Severity severity, const QPalette& palette)
{
    switch (severity) {
    case Severity::Information: return dim(palette);
    case Severity::Warning: return state(TaskState::Held, palette);
    case Severity::Failure: break;
    }
    return state(TaskState::Failed, palette);
}

QColor tint(Tint tint, const QPalette& palette)
{
    const bool onDark = isDark(palette);
    switch (tint) {
    case Tint::Information: return onDark ? QColor(0x1d, 0x33, 0x47) : QColor(0xe1, 0xee, 0xf9);
    case Tint::Warning: return onDark ? QColor(0x45, 0x38, 0x14) : QColor(0xff, 0xf0, 0xcc);
    case Tint::Failure: return onDark ? QColor(0x4a, 0x25, 0x18) : QColor(0xff, 0xe3, 0xd8);
    case Tint::Edited: return onDark ? QColor(0x1f, 0x39, 0x52) : QColor(0xdf, 0xed, 0xfa);
    case Tint::Conflict: break;
    }
    return onDark ? QColor(0x4a, 0x3b, 0x12) : QColor(0xff, 0xea, 0xb5);
}

QColor wrong(const QPalette& palette)
{
    return isDark(palette) ? QColor(0xff, 0x6b, 0x5c) : QColor(0xc6, 0x28, 0x1c);
}

QColor dim(const QPalette& palette) { return palette.color(QPalette::PlaceholderText); }

QFont monospace()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

} // namespace tasuki::theme
