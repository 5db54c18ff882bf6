// SPDX-License-Identifier: GPL-3.0-or-later
#include "listeditor.h"

#include "theme.h"

#include <QPainter>
#include <QTextBlock>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int gutterMargin = 6;
/// More marks are of no use to anybody.
constexpr std::size_t mostMarks = 500;

class Gutter : public QWidget {
public:
    explicit Gutter(ListEditor& editor) : QWidget(&editor), m_editor(editor) {}
    [[nodiscard]] QSize sizeHint() const override { return {m_editor.gutterWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { m_editor.paintGutter(*event); }

private:
    ListEditor& m_editor;
};

} // namespace

ListEditor::ListEditor(QWidget* parent) : QPlainTextEdit(parent), m_gutter(new Gutter(*this))
{
    setFont(theme::monospace());
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(false);
    connect(this, &QPlainTextEdit::blockCountChanged, this,
            [this] { setViewportMargins(gutterWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int dy) {
        if (dy != 0)
            m_gutter->scroll(0, dy);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
    });
    setViewportMargins(gutterWidth(), 0, 0, 0);
}

int ListEditor::gutterWidth() const
{
    const auto digits = std::max<qsizetype>(3, QString::number(blockCount()).size());
    return static_cast<int>(digits) * fontMetrics().horizontalAdvance(QLatin1Char('9'))
        + 2 * gutterMargin;
}

void ListEditor::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.x(), inside.y(), gutterWidth(), inside.height());
}

void ListEditor::paintGutter(QPaintEvent& event)
{
    QPainter painter(m_gutter);
    painter.fillRect(event.rect(), palette().color(QPalette::Window));
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    const int width = m_gutter->width();
    while (block.isValid() && top <= event.rect().bottom()) {
        const double height = blockBoundingRect(block).height();
        const bool wrong = std::binary_search(m_wrongLines.begin(), m_wrongLines.end(),
                                              block.blockNumber());
        if (wrong) {
            painter.fillRect(QRectF(0, top, width, height),
                             theme::tint(theme::Tint::Failure, palette()));
        }
        painter.setPen(wrong ? theme::wrong(palette()) : theme::dim(palette()));
        painter.drawText(QRectF(0, top, width - gutterMargin, height),
                         Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(block.blockNumber() + 1));
        top += height;
        block = block.next();
    }
}

int ListEditor::positionOf(std::uint64_t line, std::uint64_t column) const
{
    const QTextBlock block = document()->findBlockByNumber(
        static_cast<int>(std::max<std::uint64_t>(line, 1)) - 1);
    if (!block.isValid())
        return document()->characterCount() - 1;
    const QByteArray bytes = block.text().toUtf8();
    const auto before = static_cast<qsizetype>(std::max<std::uint64_t>(column, 1)) - 1;
    const auto inLine = static_cast<int>(QString::fromUtf8(bytes.left(before)).size());
    return block.position() + inLine;
}

void ListEditor::setDiagnostics(const std::vector<Diagnostic>& diagnostics)
{
    m_wrongLines.clear();
    QList<QTextEdit::ExtraSelection> marks;
    for (std::size_t i = 0; i < std::min(diagnostics.size(), mostMarks); ++i) {
        const Diagnostic& found = diagnostics[i];
        if (found.place.line == 0)
            continue;
        m_wrongLines << static_cast<int>(found.place.line) - 1;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(document());
        mark.cursor.setPosition(positionOf(found.place.line, found.place.column));
        mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(found.isError()
                                          ? theme::wrong(palette())
                                          : theme::severity(Severity::Warning, palette()));
        marks << mark;
    }
    std::sort(m_wrongLines.begin(), m_wrongLines.end());
    setExtraSelections(marks);
    m_gutter->update();
}

void ListEditor::jumpTo(std::uint64_t line, std::uint64_t column)
{
    QTextCursor cursor(document());
    cursor.setPosition(positionOf(line, column));
    setTextCursor(cursor);
    ensureCursorVisible();
    setFocus();
}

} // namespace tasuki
