// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "worldhost/worldwords.h"

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tst_worldwords {

using namespace std::string_literals;
using namespace tasuki;
using namespace tasuki::worldhost;

namespace {

/// One of each kind at least, with the ends of what fits.
std::vector<WorldWord> allWords()
{
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    constexpr auto mostBytes = std::numeric_limits<std::uint64_t>::max();
    const std::string bytes = "\0\xFF\n\x80 bytes"s;
    return {
        {.key = {}, .word = MemoryWanted{}},
        {.key = {most, most}, .word = MemoryWanted{}},
        {.key = {1, 2}, .word = Memory{"/proc/4711/fd/12"}},
        {.key = {1, 2}, .word = Memory{}},
        {.key = {3, 4}, .word = Records{.from = 5, .to = 6, .bytes = bytes}},
        {.key = {3, 4}, .word = Records{.from = most, .to = 0, .bytes = std::string(100'000, 'x')}},
        {.key = {3, 4}, .word = RecordsTaken{.from = 5, .to = 6, .bytes = mostBytes}},
        {.key = {3, 4},
         .word = StreamWanted{.from = 5, .to = 6, .position = mostBytes, .life = most}},
        {.key = {3, 4}, .word = Stretch{.from = 5, .to = 6, .position = 7, .bytes = bytes}},
        {.key = {3, 4}, .word = StretchTaken{.from = 5, .to = 6, .position = mostBytes}},
        {.key = {3, 4}, .word = StreamEnded{.from = 5, .to = 6, .position = 7}},
        {.key = {3, 4}, .word = Differs{.rank = 5}},
        {.key = {3, 4},
         .word = Notes{.rank = 5,
                       .ranks = 6,
                       .logBytes = 1U << 20U,
                       .makes = true,
                       .position = 7,
                       .bytes = bytes}},
        {.key = {3, 4}, .word = NotesTaken{.rank = 5, .position = 7, .again = true}},
        {.key = {3, 4},
         .word = ProgramShown{{.rank = Rank(3), .messages = 5, .replayed = 43},
                              7,
                              std::chrono::seconds(3)}},
        {.key = {7, 8}, .word = InputWanted{.from = mostBytes}},
        {.key = {7, 8}, .word = Input{.from = 9, .bytes = bytes, .end = false}},
        {.key = {7, 8}, .word = Input{.from = 9, .bytes = {}, .end = true}},
    };
}

bool isRefused(const std::string& bytes)
{
    const Result<WorldWord> word = decodeWorldWord(bytes);
    return !word.ok() && word.error().kind == ErrorKind::Protocol;
}

} // namespace

/// What processors say about worlds, there and back, and what is damaged.
class TestWorldWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Fails if two fields change places, or one is left out.
    void comeBack()
    {
        for (const WorldWord& word : allWords()) {
            const Result<WorldWord> back = decodeWorldWord(encode(word));
            QVERIFY2(back.ok() && *back == word, std::to_string(word.word.index()).c_str());
        }
    }

    void cutOffOrTooLong()
    {
        for (const WorldWord& word : allWords()) {
            const std::string bytes = encode(word);
            for (std::size_t size = 0; size < std::min<std::size_t>(bytes.size(), 200); ++size)
                QVERIFY2(isRefused(bytes.substr(0, size)),
                         (std::to_string(word.word.index()) + ": " + std::to_string(size)).c_str());
            QVERIFY(isRefused(bytes.substr(0, bytes.size() - 1)));
            QVERIFY(isRefused(bytes + '\0'));
        }
    }

    void noSuchWord()
    {
        const WorldWord word{.key = {1, 2}, .word = MemoryWanted{}};
        std::string bytes = encode(word);
        for (const char kind : {'\x06', '\x7F'}) {
            bytes.back() = kind; // it has no fields
            QVERIFY(isRefused(bytes));
        }
    }

    // Whatever comes is a word or refused; a word that was read is written as it was meant.
    void damaged()
    {
        std::mt19937 random(11);
        const std::vector<WorldWord> words = allWords();
        int refused = 0;
        for (int time = 0; time < 50'000; ++time) {
            std::string bytes = encode(words[random() % words.size()]);
            const std::size_t changes = 1 + random() % 3;
            for (std::size_t i = 0; i < changes; ++i)
                bytes[random() % std::min<std::size_t>(bytes.size(), 24)] = static_cast<char>(
                    random());
            const Result<WorldWord> word = decodeWorldWord(bytes);
            if (!word) {
                QVERIFY(word.error().kind == ErrorKind::Protocol);
                ++refused;
                continue;
            }
            const Result<WorldWord> again = decodeWorldWord(encode(*word));
            QVERIFY(again.ok() && *again == *word);
        }
        QVERIFY(refused > 1'000);
    }
};

QTEST_APPLESS_MAIN(TestWorldWords)

} // namespace tst_worldwords

#include "tst_worldwords.moc"
