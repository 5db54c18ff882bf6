// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "replica/ownerwait.h"

#include "support/manualclock.h"

#include <cstdlib>
#include <string>

namespace tst_ownerwait {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

/// @return what is written while an owner is waited for that is silent for so long
std::string written(int columns, std::chrono::seconds patience)
{
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const stream = ::open_memstream(&text, &size);
    {
        ManualClock clock;
        OwnerWait wait("w.tasuki", stream, columns, clock);
        for (std::chrono::milliseconds left = patience; left > 0ms; left -= 250ms) {
            wait.show("process 7 on grid01", left);
            clock.advance(250ms);
        }
    }
    std::fclose(stream);
    std::string out(text, size);
    std::free(text); // NOLINT(*-no-malloc): as open_memstream demands
    return out;
}

} // namespace

/// What breaks it: a start that waits without a word, for nobody knows whom, or repeats itself in a log.
class TestOwnerWait : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysItOnce()
    {
        QCOMPARE(
            written(0, 15s),
            std::string("tasuki: w.tasuki was written last by process 7 on grid01, which cannot "
                        "be seen from here and may still write it: waiting 15 s whether it "
                        "does\n"));
    }
    void countsInATerminal()
    {
        const std::string text = written(80, 15s);
        QVERIFY(text.find("waiting 15 s whether it does\n") != std::string::npos);
        for (const char* left : {"15 s left", "9 s left", "2 s left"})
            QVERIFY2(text.find(left) != std::string::npos, text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestOwnerWait)

} // namespace tst_ownerwait

#include "tst_ownerwait.moc"
