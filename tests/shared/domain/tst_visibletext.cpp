// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "domain/result.h"
#include "domain/visibletext.h"

#include <string>

namespace tst_visibletext {

using namespace tasuki;
using namespace std::string_literals;

class TestVisibleText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainTextStays();
    void controlCharactersAreShown();
    void breaks();
    void errors();
};

void TestVisibleText::plainTextStays()
{
    // UTF-8, bytes that are not, and what begins a pair and does not end it.
    for (const std::string& text :
         {""s, "plain \\x1b"s, "\u00e9\u00a0\u20ac"s, "\xff\xc3"s, "\xc2"s, "\xc2\xc2\xa0"s})
        QCOMPARE(visible(text), text);
}

void TestVisibleText::controlCharactersAreShown()
{
    QCOMPARE(visible("a\0b\x1b[2J\x7f"s), std::string("a\\x00b\\x1b[2J\\x7f"));
    QCOMPARE(visible("\n\t\r"), std::string("\\x0a\\x09\\x0d"));
    QCOMPARE(visible("\u0080\u009b\u009f\u00a0"), std::string("\\x80\\x9b\\x9f\u00a0"));
    for (int byte = 0; byte < 0x20; ++byte)
        QCOMPARE(visible(std::string(1, static_cast<char>(byte))).size(), std::size_t(4));
}

void TestVisibleText::breaks()
{
    QCOMPARE(visible("a\n\tb\r\x1b", Breaks::Kept), std::string("a\n\tb\\x0d\\x1b"));
    QCOMPARE(visible("a\n\tb\r\x1b", Breaks::Blanks), std::string("a  b \\x1b"));
}

// Whoever tells an error tells it to people.
void TestVisibleText::errors()
{
    const Error error{.message = "two\nlines \x1b[2J",
                      .remedy = "look at \x7f",
                      .place = SourcePlace{.file = "a\nb\x1b", .line = 3}};
    QCOMPARE(error.text(), std::string("a\\x0ab\\x1b:3: two\nlines \\x1b[2J; look at \\x7f"));
}

QTEST_APPLESS_MAIN(TestVisibleText)

} // namespace tst_visibletext

#include "tst_visibletext.moc"
