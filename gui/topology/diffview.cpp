// SPDX-License-Identifier: GPL-3.0-or-later
#include "diffview.h"

#include "linediff.h"
#include "views/theme.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>

namespace tasuki {

namespace {

/// So many lines that stay are shown around each one that does not.
constexpr std::size_t linesAround = 3;

struct Shown {
    QString text;
    DiffLine::Kind kind = DiffLine::Kind::Same;
};

QString signOf(DiffLine::Kind kind)
{
    switch (kind) {
    case DiffLine::Kind::Added: return QStringLiteral("+ ");
    case DiffLine::Kind::Removed: return QStringLiteral("\u2212 ");
    case DiffLine::Kind::Same: break;
    }
    return QStringLiteral("  ");
}

/// @return the lines to show, with one that says how many stand between others
QList<Shown> shownLines(const std::vector<DiffLine>& lines)
{
    std::vector<bool> near(lines.size(), false);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].kind == DiffLine::Kind::Same)
            continue;
        const std::size_t begin = i < linesAround ? 0 : i - linesAround;
        for (std::size_t j = begin; j < std::min(lines.size(), i + linesAround + 1); ++j)
            near[j] = true;
    }
    QList<Shown> shown;
    for (std::size_t i = 0; i < lines.size();) {
        std::size_t end = i;
        while (end < lines.size() && !near[end])
            ++end;
        if (end > i + 1) {
            shown << Shown{
                DiffView::tr("  ... %n line(s) stay", nullptr, static_cast<int>(end - i))};
            i = end;
            continue;
        }
        shown << Shown{signOf(lines[i].kind) + QString::fromStdString(lines[i].text),
                       lines[i].kind};
        ++i;
    }
    return shown;
}

} // namespace

DiffView::DiffView(QWidget* parent)
    : QWidget(parent), m_headline(new QLabel), m_lines(new QPlainTextEdit)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    m_headline->setMargin(6);
    m_headline->setWordWrap(true);
    m_headline->setTextFormat(Qt::PlainText);
    m_lines->setReadOnly(true);
    m_lines->setFont(theme::monospace());
    m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_lines->setFrameShape(QFrame::NoFrame);
    m_lines->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_lines->setTabChangesFocus(true);
    m_lines->setAccessibleName(tr("Lines that change"));
    box->addWidget(m_headline);
    box->addWidget(m_lines, 1);
}

void DiffView::compare(std::string_view before, std::string_view after)
{
    const std::vector<DiffLine> lines = lineDiff(before, after);
    const auto count = [&lines](DiffLine::Kind kind) {
        return static_cast<int>(std::ranges::count(lines, kind, &DiffLine::kind));
    };
    m_added = count(DiffLine::Kind::Added);
    m_removed = count(DiffLine::Kind::Removed);
    m_lines->clear();
    if (isSame())
        return;
    const QList<Shown> shown = shownLines(lines);
    QStringList texts;
    for (const Shown& line : shown)
        texts << line.text;
    m_lines->setPlainText(texts.join(QLatin1Char('\n')));
    QList<QTextEdit::ExtraSelection> colours;
    for (qsizetype i = 0; i < shown.size(); ++i) {
        if (shown[i].kind == DiffLine::Kind::Same)
            continue;
        QTextEdit::ExtraSelection line;
        line.cursor = QTextCursor(m_lines->document()->findBlockByNumber(static_cast<int>(i)));
        line.format.setProperty(QTextFormat::FullWidthSelection, true);
        line.format.setBackground(theme::tint(
            shown[i].kind == DiffLine::Kind::Added ? theme::Tint::Edited : theme::Tint::Conflict,
            palette()));
        colours << line;
    }
    m_lines->setExtraSelections(colours);
}

void DiffView::setHeadline(const QString& text) { m_headline->setText(text); }

QString DiffView::headline() const { return m_headline->text(); }

} // namespace tasuki
