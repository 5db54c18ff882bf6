// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/phrase.h"

#include <QtTest>

#include <map>
#include <string>

namespace tst_phrase {

using namespace tasuki;

namespace {

const Phrase nested = Phrase::tr("%1; %2")(Phrase::tr("processor %1 is %2")(7, "late"), "wait");

/// A language in which the arguments stand the other way round, and have words of their own.
std::string otherLanguage(const std::string& english)
{
    static const std::map<std::string, std::string> words{
        {"%1; %2", "%2, as %1"}, {"processor %1 is %2", "%2: #%1, %1 and %3"}};
    const auto found = words.find(english);
    return found == words.end() ? english : found->second;
}

} // namespace

class PhraseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatItIsMadeOf_data();
    void saysWhatItIsMadeOf();
    void isPutIntoAnotherLanguage();
    void comesBack_data();
    void comesBack();
    void textCountsWhenTheCodeIsWrong_data();
    void textCountsWhenTheCodeIsWrong();
    void hostileCodesEnd();
};

void PhraseTest::saysWhatItIsMadeOf_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* name, const Phrase& phrase, const char* expected) {
        QTest::newRow(name) << phrase.text() << std::string(expected);
    };
    row("nothing", {}, "");
    row("text", "100 %1 sure", "100 %1 sure");
    row("no arguments", Phrase::tr("the run is ending"), "the run is ending");
    row("text and numbers", Phrase::tr("%2 of %1: %3")(-3, "a", std::string("b")), "a of -3: b");
    row("nested", nested, "processor 7 is late; wait");
    row("twice", Phrase::tr("[[%1]] for each %1")("x"), "[[x]] for each x");
    row("argument with a place", Phrase::tr("%1 %2")("%2", "b"), "%2 b");
    row("no such argument", Phrase::tr("%1 %2 %0 %")("a"), "a %2 %0 %");
}

void PhraseTest::saysWhatItIsMadeOf()
{
    QFETCH(std::string, text);
    QFETCH(std::string, expected);
    QCOMPARE(text, expected);
}

void PhraseTest::isPutIntoAnotherLanguage()
{
    QCOMPARE(nested.text(otherLanguage), std::string("wait, as late: #7, 7 and %3"));
    // Text is the same in every language, even if it reads like a pattern.
    QCOMPARE(Phrase("%1; %2").text(otherLanguage), std::string("%1; %2"));
    QVERIFY(Phrase("%1; %2") != Phrase(Phrase::tr("%1; %2")));
    QVERIFY(Phrase::tr("%1")(1) == Phrase::tr("%1")("1"));
}

void PhraseTest::comesBack_data()
{
    QTest::addColumn<int>("number");
    for (int i = 0; i < 6; ++i)
        QTest::addRow("%d", i) << i;
}

void PhraseTest::comesBack()
{
    QFETCH(int, number);
    const std::vector<Phrase> all{Phrase(),
                                  "text",
                                  Phrase::tr("the run is ending"),
                                  nested,
                                  Phrase::tr("%1%2%3%4%5%6%7%8%9")(1, 2, 3, 4, 5, 6, 7, 8, 9),
                                  Phrase::tr("\"%1\" and %2")("", "\xff\n%1")};
    const Phrase& phrase = all.at(static_cast<std::size_t>(number));
    QVERIFY(Phrase::decoded(phrase.code(), phrase.text()) == phrase);
    QCOMPARE(phrase.code().empty(), number < 2);
}

void PhraseTest::textCountsWhenTheCodeIsWrong_data()
{
    QTest::addColumn<std::string>("code");
    const std::string code = nested.code();
    QTest::newRow("none") << std::string();
    QTest::newRow("no code") << std::string("processor 7 is late; wait");
    QTest::newRow("says something else") << Phrase(Phrase::tr("the run is ending")).code();
    QTest::newRow("more behind it") << code + "x";
    QTest::newRow("a second one behind it") << code + code;
    QTest::newRow("an end more") << "\x02" + nested.text() + "\x1f\x02\x1f\x03\x03\x03";
    QTest::newRow("an argument twice") << std::string("\x02%1%1 is late; wait\x1fprocessor 7\x03");
    for (std::size_t size = 0; size + 2 < code.size(); ++size)
        QTest::addRow("cut %zu", size) << code.substr(0, size);
}

void PhraseTest::textCountsWhenTheCodeIsWrong()
{
    QFETCH(std::string, code);
    const std::string text = nested.text();
    QVERIFY(Phrase::decoded(code, text) == Phrase(text));
    // What its names have in them cannot make a phrase another one.
    const Phrase odd = Phrase::tr("%1 is %2")("a\x1f" + code, "\x03\x02");
    QVERIFY(Phrase::decoded(odd.code(), odd.text()).text() == odd.text());
}

// Without limits the text of the one is beyond every memory, and the other takes the whole stack.
void PhraseTest::hostileCodesEnd()
{
    std::string wide = "x";
    for (int i = 0; i < 40; ++i)
        wide = "\x02%1%1%1%1%1%1%1%1%1\x1f" + wide + "\x03";
    std::string deep;
    for (int i = 0; i < 1'000'000; ++i)
        deep += "\x02%1\x1f";
    for (const std::string& code : {wide, deep})
        QVERIFY(Phrase::decoded(code, "text") == Phrase("text"));
}

QTEST_APPLESS_MAIN(PhraseTest)

} // namespace tst_phrase

#include "tst_phrase.moc"
