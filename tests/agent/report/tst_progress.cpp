// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "report/progress.h"
#include "report/statusline.h"
#include "support/manualclock.h"

#include <cstdlib>
#include <memory>

namespace tst_progress {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

ProgressFigures figures()
{
    return {.total = 200,
            .done = 50,
            .running = 4,
            .failed = 1,
            .doneHere = 50,
            .elapsed = 10s,
            .phase = {}};
}

/// A stream that ends in a string.
class Captured {
public:
    Captured() : m_file(::open_memstream(&m_text, &m_size)) {}
    ~Captured()
    {
        std::fclose(m_file);
        std::free(m_text); // NOLINT(*-no-malloc): as open_memstream demands
    }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    std::FILE* file() { return m_file; }
    std::string text()
    {
        std::fflush(m_file);
        return {m_text, m_size};
    }

private:
    char* m_text = nullptr;
    std::size_t m_size = 0;
    std::FILE* m_file;
};

} // namespace

std::string text(int columns) { return progressLine(figures(), columns); }

class tst_Progress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rateAndRemaining()
    {
        QCOMPARE(rateText(figures()), std::string("5.0/s"));
        QCOMPARE(remainingText(figures()), std::string("30s"));
        ProgressFigures resumed = figures();
        resumed.doneHere = 10; // what an earlier life did says nothing about this one's rate
        QCOMPARE(rateText(resumed), std::string("1.0/s"));
        QCOMPARE(remainingText(resumed), std::string("2m30s"));
        ProgressFigures none = figures();
        none.doneHere = 0;
        QCOMPARE(rateText(none), std::string("-"));
        QCOMPARE(remainingText(none), std::string("-"));
        ProgressFigures all = figures();
        all.done = all.total;
        QCOMPARE(remainingText(all), std::string("0s"));
    }

    void lineFitsTheTerminal()
    {
        for (const int width : {20, 40, 79, 200})
            QVERIFY(progressLine(figures(), width).size() <= static_cast<std::size_t>(width));
        QVERIFY(progressLine(figures(), 200).starts_with("[######..................]  25%"));
        // The figures matter more than the bar.
        const std::string all = progressLine(figures(), 0);
        const int size = static_cast<int>(all.size());
        QCOMPARE(progressLine(figures(), size + 11), "[##......] " + all);
        QCOMPARE(progressLine(figures(), size + 6), all);
        QVERIFY(progressLine(figures(), 0).starts_with(" 25% 50/200 done, 4 running, 1 failed"));
    }

    void emptyListIsDone() { QVERIFY(progressLine({}, 0).starts_with("100% 0/0")); }

    // Fails if something that is no terminal gets control characters, or a line at every call.
    void plainLinesAreRareAndPlain()
    {
        Captured captured;
        ManualClock clock;
        StatusLine line(captured.file(), 0, clock);
        for (int i = 0; i < 100; ++i) {
            clock.advance(100ms);
            line.show(text);
        }
        const std::string text = captured.text();
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 2); // after 2 s and 6 s
        QVERIFY(text.find('\r') == std::string::npos && text.find('\x1b') == std::string::npos);
    }

    void terminalLineIsDrawnOver()
    {
        Captured captured;
        ManualClock clock;
        StatusLine line(captured.file(), 80, clock);
        line.show(text);
        QVERIFY(captured.text().empty()); // too early
        clock.advance(200ms);
        line.show(text);
        line.clear();
        line.clear();
        const std::string text = captured.text();
        QVERIFY(text.starts_with("\r["));
        QVERIFY(text.ends_with("\r\x1b[K"));
        QCOMPARE(std::count(text.begin(), text.end(), '\r'), 2);
    }
};

QTEST_APPLESS_MAIN(tst_Progress)

} // namespace tst_progress

#include "tst_progress.moc"
