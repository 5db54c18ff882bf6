// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "wire/handshake.h"
#include "wire/relayline.h"

namespace tst_relayline {

using namespace tasuki;
using namespace tasuki::link;

/// What breaks it: a text that ends the line, what a shell says before, a line of another program that passes for one.
class TestRelayLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thereAndBack()
    {
        RelayLine line{.access = {}, .record = true};
        line.access.run = RunId::random();
        line.access.epoch = Epoch(3);
        line.access.runFile = "/a b/new\nline.tasuki";
        line.access.title = "\xff not UTF-8\n";
        line.access.hostName = "node0";
        line.access.hostKey = "key";
        line.access.token = randomSecret();
        for (const bool record : {true, false}) {
            line.record = record;
            const std::string text = relayText(line);
            QCOMPARE(text.find('\n'), text.size() - 1);
            const auto read = relayLineOf(std::string_view(text).substr(0, text.size() - 1));
            QVERIFY(read && read->ok());
            QVERIFY(**read == line);
        }
    }

    void others()
    {
        for (const char* other : {"", "Welcome to node0", "tasuki-relay", "tasuki-relay 2 agent {}",
                                  "tasuki-relay 1 window {}", "echo tasuki-relay 1 agent {}"})
            QVERIFY2(!relayLineOf(other), other);
    }

    void damaged()
    {
        for (const char* damaged : {"tasuki-relay 1 agent ", "tasuki-relay 1 agent {",
                                    "tasuki-relay 1 record {}", "tasuki-relay 1 agent 7"}) {
            const auto read = relayLineOf(damaged);
            QVERIFY2(read && !read->ok(), damaged);
        }
    }
};

QTEST_APPLESS_MAIN(TestRelayLine)

} // namespace tst_relayline

#include "tst_relayline.moc"
