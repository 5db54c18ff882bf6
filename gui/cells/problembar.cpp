// SPDX-License-Identifier: GPL-3.0-or-later
#include "problembar.h"

#include "models/wording.h"
#include "views/icons.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int mostLinesShown = 6;
/// More are of no use to anybody.
constexpr std::size_t mostProblems = 200;

} // namespace

QString problemLine(const Diagnostic& told)
{
    // The headline has the file; its path would be in the way.
    QString line = QFileInfo(QString::fromStdString(told.place.file)).fileName();
    if (told.place.line != 0)
        line += QStringLiteral(":%1").arg(told.place.line);
    if (told.place.line != 0 && told.place.column != 0)
        line += QStringLiteral(":%1").arg(told.place.column);
    const QString message = wording::phrase(told.message);
    line += QStringLiteral(": ")
        + (told.isError() ? ProblemBar::tr("error: %1").arg(message)
                          : ProblemBar::tr("warning: %1").arg(message));
    return told.remedy.empty() ? line
                               : ProblemBar::tr("%1; %2", "what is wrong, what to do")
                                     .arg(line, wording::phrase(told.remedy));
}

ProblemBar::ProblemBar(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel),
      m_headline(new QLabel),
      m_details(new QLabel),
      m_scroll(new QScrollArea),
      m_action(new QPushButton)
{
    setAutoFillBackground(true);
    auto* box = new QHBoxLayout(this);
    box->setContentsMargins(10, 6, 6, 6);
    box->setSpacing(8);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(4);
    QFont bold = font();
    bold.setBold(true);
    m_headline->setFont(bold);
    m_headline->setWordWrap(true);
    m_headline->setTextFormat(Qt::PlainText);
    m_details->setWordWrap(true);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_details->setAccessibleName(tr("What is wrong with the file"));
    m_scroll->setWidget(m_details);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_details->setAutoFillBackground(false);
    texts->addWidget(m_headline);
    texts->addWidget(m_scroll);
    auto* close = new QToolButton;
    close->setIcon(icons::named(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    box->addWidget(m_icon, 0, Qt::AlignTop);
    box->addLayout(texts, 1);
    box->addWidget(m_action, 0, Qt::AlignTop);
    m_action->hide();
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT actionWanted();
    });
    box->addWidget(close, 0, Qt::AlignTop);
    connect(m_details, &QLabel::linkActivated, this,
            [this](const QString& link) { Q_EMIT placeWanted(link.toInt()); });
    hide();
}

void ProblemBar::setAction(const QString& text)
{
    m_action->setText(text);
    m_action->setVisible(!text.isEmpty());
}

void ProblemBar::show(theme::Tint tint, const QString& headline, const QString& details)
{
    QPalette colours = parentWidget() != nullptr ? parentWidget()->palette() : palette();
    colours.setColor(QPalette::Window, theme::tint(tint, colours));
    setPalette(colours);
    const int size = fontMetrics().height() + 2;
    const auto severity = tint == theme::Tint::Failure ? Severity::Failure
        : tint == theme::Tint::Information             ? Severity::Information
                                                       : Severity::Warning;
    m_icon->setPixmap(icons::severity(severity).pixmap(size, size));
    m_headline->setText(headline);
    setDetails(details, Qt::PlainText, static_cast<int>(details.count(QLatin1Char('\n'))) + 1);
    setVisible(true);
}

void ProblemBar::setDetails(const QString& text, Qt::TextFormat format, int lines)
{
    const Qt::TextInteractionFlags reading = Qt::TextSelectableByMouse
        | Qt::TextSelectableByKeyboard;
    const Qt::TextInteractionFlags choosing = Qt::LinksAccessibleByMouse
        | Qt::LinksAccessibleByKeyboard;
    m_details->setTextFormat(format);
    m_details->setTextInteractionFlags(format == Qt::RichText ? choosing : reading);
    m_details->setText(text);
    m_scroll->setVisible(!text.isEmpty());
    // Long lines wrap: room for one more each, as long as there are few.
    const int height = std::min(2 * lines, mostLinesShown) * fontMetrics().lineSpacing() + 4;
    m_scroll->setFixedHeight(height);
}

void ProblemBar::showPlaces(theme::Tint tint, const QString& headline, const QStringList& lines)
{
    show(tint, headline, QString());
    QString links;
    const qsizetype count = std::min(lines.size(), static_cast<qsizetype>(mostProblems));
    for (qsizetype i = 0; i < count; ++i) {
        links += QStringLiteral("<a href=\"%1\">%2</a><br>").arg(i).arg(lines[i].toHtmlEscaped());
    }
    if (lines.size() > count)
        links += tr("and %n more", nullptr, static_cast<int>(lines.size() - count));
    setDetails(links, Qt::RichText, static_cast<int>(count));
}

void ProblemBar::show(theme::Tint tint, const QString& headline,
                      const std::vector<Diagnostic>& diagnostics)
{
    QStringList lines;
    for (std::size_t i = 0; i < std::min(diagnostics.size(), mostProblems); ++i)
        lines << problemLine(diagnostics[i]);
    if (diagnostics.size() > mostProblems) {
        lines << tr("and %n more", nullptr, static_cast<int>(diagnostics.size() - mostProblems));
    }
    show(tint, headline, lines.join(QLatin1Char('\n')));
}

QString ProblemBar::headline() const { return m_headline->text(); }

QString ProblemBar::details() const { return m_details->text(); }

void ProblemBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tasuki
