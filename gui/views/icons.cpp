// SPDX-License-Identifier: GPL-3.0-or-later
#include "icons.h"

#include "theme.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <array>
#include <functional>

namespace tasuki::icons {

namespace {

using ColourOf = std::function<QColor(const QPalette&)>;

/// Paints an SVG whose `currentColor` is a colour of the palette.
class SvgEngine final : public QIconEngine {
public:
    SvgEngine(QString name, ColourOf colour) : m_name(std::move(name)), m_colour(std::move(colour))
    {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override
    {
        const QColor colour = colourOf(mode);
        const QString key = QStringLiteral("tasuki-%1-%2-%3x%4")
                                .arg(m_name, colour.name(QColor::HexArgb))
                                .arg(size.width())
                                .arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        pixmap = render(size, colour);
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new SvgEngine(m_name, m_colour); }
    QString key() const override { return QStringLiteral("tasuki-svg"); }
    bool isNull() override { return false; }

private:
    [[nodiscard]] QColor colourOf(QIcon::Mode mode) const
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::WindowText);
        if (mode == QIcon::Selected)
            return palette.color(QPalette::HighlightedText);
        return m_colour(palette);
    }

    [[nodiscard]] QPixmap render(const QSize& size, const QColor& colour) const
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QFile file(QStringLiteral(":/icons/") + m_name + QStringLiteral(".svg"));
        if (!file.open(QIODevice::ReadOnly))
            return pixmap;
        QByteArray text = file.readAll();
        text.replace("currentColor", colour.name().toLatin1());
        QSvgRenderer renderer(text);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        return pixmap;
    }

    QString m_name;
    ColourOf m_colour;
};

QIcon make(const QString& name, ColourOf colour)
{
    return QIcon(new SvgEngine(name, std::move(colour)));
}

} // namespace

QIcon named(const QString& name)
{
    return make(name, [](const QPalette& p) { return p.color(QPalette::WindowText); });
}

QIcon state(TaskState state)
{
    const QString word = QString::fromUtf8(taskStateName(state).data(),
                                           static_cast<qsizetype>(taskStateName(state).size()));
    return make(QStringLiteral("state-") + word,
                [state](const QPalette& palette) { return theme::state(state, palette); });
}

QIcon health(ProcessorTreeModel::Health health)
{
    static constexpr std::array names{"health-idle", "health-busy", "health-left", "health-lost"};
    return make(QLatin1String(names.at(static_cast<std::size_t>(health))),
                [health](const QPalette& palette) { return theme::health(health, palette); });
}

QIcon condition(Condition condition)
{
    static constexpr std::array names{"health-left",    "health-well",      "health-expected",
                                      "health-suspect", "health-condemned", "health-fenced",
                                      "health-lost",    "failure"};
    return make(
        QLatin1String(names.at(static_cast<std::size_t>(condition))),
        [condition](const QPalette& palette) { return theme::condition(condition, palette); });
}

QIcon severity(Severity severity)
{
    static constexpr std::array names{"info", "warning", "failure"};
    return make(QLatin1String(names.at(static_cast<std::size_t>(severity))),
                [severity](const QPalette& palette) { return theme::severity(severity, palette); });
}

QIcon application() { return QIcon(QStringLiteral(":/icons/tasuki.svg")); }

} // namespace tasuki::icons
