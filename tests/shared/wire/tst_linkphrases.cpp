// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "link.pb.h"
#include "wire/linkcodec.h"

#include <string>
#include <vector>

namespace tst_linkphrases {

using namespace tasuki;
using namespace tasuki::link;
namespace w = tasuki::wire::link;

class TestLinkPhrases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void phrasesAreOptional();
};

/// What agents of before say has no phrase, and one that is damaged does not count.
void TestLinkPhrases::phrasesAreOptional()
{
    const Phrase phrase = Phrase::tr("subcluster \"%1\" is down")("a");
    const auto taken = [&phrase](const std::string& code) {
        w::AgentMessage message;
        w::Events& events = *message.mutable_events();
        w::Notice& notice = *events.add_events()->mutable_notice();
        notice.set_text(phrase.text());
        notice.set_text_phrase(code);
        w::SubclusterChanged& down = *events.add_events()->mutable_subcluster_changed();
        down.set_cause(phrase.text());
        down.set_cause_phrase(code);
        w::ProcessorOrdered& order = *events.add_events()->mutable_processor_ordered();
        order.set_obstacle(phrase.text());
        order.set_obstacle_phrase(code);
        std::vector<Phrase> all;
        const auto decoded = decodeAgentMessage(message.SerializeAsString());
        if (!decoded)
            return all;
        const auto& got = std::get<Events>(*decoded).events;
        all.push_back(std::get<Notice>(got[0].payload).text);
        all.push_back(std::get<SubclusterChanged>(got[1].payload).cause);
        all.push_back(std::get<ProcessorOrdered>(got[2].payload).obstacle);
        w::AgentMessage answer;
        answer.mutable_command()->set_reason(phrase.text());
        answer.mutable_command()->set_reason_phrase(code);
        all.push_back(
            std::get<CommandReply>(*decodeAgentMessage(answer.SerializeAsString())).answer.reason);
        return all;
    };
    const std::string code = phrase.code();
    QVERIFY(taken(code) == std::vector<Phrase>(4, phrase));
    for (const std::string& wrong :
         {std::string(), std::string("x"), code.substr(0, code.size() - 2), code + code,
          Phrase(Phrase::tr("nothing is down")).code()})
        QVERIFY(taken(wrong) == std::vector<Phrase>(4, phrase.text()));
}

QTEST_APPLESS_MAIN(TestLinkPhrases)

} // namespace tst_linkphrases

#include "tst_linkphrases.moc"
