// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtesting.h"

#include "tasklist/tasklistwriter.h"

#include <array>
#include <random>

namespace tst_tasklistwriter {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

/// Makes lists of everything that a list can hold.
class RandomList {
public:
    explicit RandomList(unsigned seed) : m_random(seed) {}

    TaskListDefaults defaults()
    {
        TaskListDefaults defaults;
        for (auto& count : defaults.retries.allowed)
            count = static_cast<std::uint16_t>(below(3));
        if (below(2) == 0)
            defaults.timeout = std::chrono::milliseconds(1 + below(5000));
        return defaults;
    }

    std::vector<Task> tasks(const TaskListDefaults& defaults)
    {
        std::vector<Task> tasks(1 + below(30));
        auto settings = std::make_shared<const TaskSettings>(defaults.settings());
        std::uint32_t stage = 0;
        for (std::uint32_t i = 0; i < tasks.size(); ++i) {
            if (below(3) == 0)
                settings = std::make_shared<const TaskSettings>(changed(*settings, defaults));
            if (below(6) == 0)
                stage += 1 + below(2);
            tasks[i].command = command();
            tasks[i].settings = settings;
            tasks[i].stage = stage;
            tasks[i].position = i;
        }
        addLinks(tasks);
        return tasks;
    }

private:
    std::uint32_t below(std::uint32_t limit)
    {
        return static_cast<std::uint32_t>(m_random() % limit);
    }
    template <std::size_t N>
    std::string anyOf(const std::array<const char*, N>& texts)
    {
        return texts[below(N)];
    }

    std::string command()
    {
        constexpr std::array beginnings{"echo",     "./a.out",     "\\\n true", "\xEF\xBB\xBFx",
                                        "\xFF\xFE", "\"quo ted\"", "X=1 y"};
        constexpr std::array middles{" a",       " 'b #'", " \"c\\\"d\"", " \\\n",     " \\\n# e",
                                     "#f",       " \t g",  " $(h 'i')",   " \\#",      "\\\\",
                                     "\xC3\xA9", " j=\rk", " `l`",        " \\\n \\\n"};
        constexpr std::array ends{" z", " # don't", " # m \\", " \\ ", "\\\\", " \\\n", ""};
        std::string text = anyOf(beginnings);
        for (std::uint32_t i = below(5); i > 0; --i)
            text += anyOf(middles);
        text += anyOf(ends);
        // A comment swallows what would continue the command.
        return writeTaskList(std::vector<Task>{{.command = text,
                                                .settings = std::make_shared<TaskSettings>(),
                                                .links = {}}})
                   .ok()
            ? text
            : "true";
    }

    TaskSettings changed(TaskSettings settings, const TaskListDefaults& defaults)
    {
        constexpr std::array values{"",  "plain", "two words", "it's",    "\"",   "'\"' \t",
                                    "#", "=",     "\\",        "default", "none", "a,b"};
        switch (below(8)) {
        case 0:
            settings.retries.allowed[below(4)] = static_cast<std::uint16_t>(below(65536));
            break;
        case 1: settings.timeout = std::chrono::milliseconds(1 + below(100'000'000)); break;
        case 2: settings.timeout.reset(); break;
        case 3: settings.workingDirectory = anyOf(values); break;
        case 5: settings.expectedTime = std::chrono::milliseconds(1 + below(100'000'000)); break;
        case 6:
            settings.warning.reset();
            if (below(2) == 0)
                settings.warning = EndWarning{
                    .signalNumber = 1 + static_cast<int>(below(64)),
                    .before = std::chrono::milliseconds(1 + below(100'000'000))};
            break;
        case 4: settings.environment.clear(); [[fallthrough]];
        default: {
            const std::string name(1, static_cast<char>('A' + below(4)));
            std::erase_if(settings.environment, [&](const auto& v) { return v.first == name; });
            settings.environment.emplace(
                settings.environment.begin()
                    + below(static_cast<std::uint32_t>(settings.environment.size() + 1)),
                name, anyOf(values));
        }
        }
        return below(8) == 0 ? defaults.settings() : settings;
    }

    void addLinks(std::vector<Task>& tasks)
    {
        constexpr std::array labels{"fit", "two words", "it's", "#x", "\""};
        std::vector<TaskLinks> links(tasks.size());
        for (auto& link : links) {
            if (below(3) == 0)
                link.label = anyOf(labels);
        }
        // No cycles: after a label only when the last task that has it is above.
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const std::string label = anyOf(labels);
            std::vector<TaskId> targets;
            for (std::uint32_t j = 0; j < tasks.size(); ++j) {
                if (links[j].label == label)
                    targets.emplace_back(j);
            }
            if (!targets.empty() && targets.back().value() < i && below(2) == 0)
                links[i].after = Prerequisites(targets);
            if (links[i] != TaskLinks{})
                tasks[i].links = std::make_shared<const TaskLinks>(links[i]);
        }
    }

    std::mt19937 m_random;
};

Task taskOf(std::string command)
{
    return {.command = std::move(command),
            .settings = std::make_shared<const TaskSettings>(),
            .links = {}};
}

} // namespace

class TaskListWriterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesOnlyWhatChanges();
    void readsBackWhatItWrote();
    void refusesCommands_data();
    void refusesCommands();
    void refusesWhatNoDirectiveSays();
};

void TaskListWriterTest::writesOnlyWhatChanges()
{
    const std::string text = "true\n"
                             "#TASUKI retries=exit:2,signal:2,timeout:2,lost:3 timeout=10m "
                             "cwd='a b' env=A=1\n"
                             "a\n"
                             "b\n"
                             "#TASUKI env=B=2 label=fit\n"
                             "c\n"
                             "#TASUKI barrier timeout=none env=A=3\n"
                             "d\n"
                             "#TASUKI barrier retries=default cwd=default env=default after=fit\n"
                             "e\n";
    const auto list = parse(text);
    TASUKI_COMPARE_TEXT(told(list), "");
    const auto written = writeTaskList(list.tasks);
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
    TASUKI_COMPARE_TEXT(*written, text);
}

void TaskListWriterTest::readsBackWhatItWrote()
{
    const auto seed = std::random_device{}();
    qInfo("seed %u", seed);
    RandomList random(seed);
    for (int round = 0; round < 2'000; ++round) {
        const TaskListDefaults defaults = random.defaults();
        const std::vector<Task> tasks = random.tasks(defaults);
        const auto written = writeTaskList(tasks, defaults);
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
        auto list = parse(*written, defaults);
        QVERIFY2(list.usable(), (told(list) + *written).c_str());
        QCOMPARE(list.tasks.size(), tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            list.tasks[i].line = 0;
            QVERIFY2(list.tasks[i] == tasks[i],
                     ("task " + std::to_string(i) + " of\n" + *written).c_str());
        }
    }
}

void TaskListWriterTest::refusesCommands_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QByteArray>("why");
    const auto row = [](QByteArray command, const char* why) {
        QTest::newRow(why) << command << QByteArray(why);
    };
    row("", "the command is empty");
    row(" \\\n ", "the command is empty");
    row(QByteArray("a\0b", 3), "the command has a NUL byte");
    row(" a", "blanks around the command would be lost");
    row("a\t", "blanks around the command would be lost");
    row("a\\  ", "blanks around the command would be lost");
    row("#a", "the command would be a comment");
    row("a\nb", "the command has a newline that no backslash continues");
    row("a\\\\\nb", "the command has a newline that no backslash continues");
    row("a # \\\nb", "the command has a newline that no backslash continues");
    row("a\\", "the backslash at its end would continue the command");
    row("a\r", "the CR at the end of a line would be lost");
    row("a \\\r\nb", "the CR at the end of a line would be lost");
    row("echo 'a", "a quote in the command is not closed");
}

void TaskListWriterTest::refusesCommands()
{
    QFETCH(QByteArray, command);
    QFETCH(QByteArray, why);
    const std::vector<Task> tasks{taskOf("true"), taskOf(command.toStdString())};
    const auto written = writeTaskList(tasks);
    QVERIFY(!written.ok());
    QCOMPARE(int(written.error().kind), int(ErrorKind::Input));
    QCOMPARE(QByteArray::fromStdString(written.error().message),
             "task 1 cannot be written in a task list: " + why);
}

void TaskListWriterTest::refusesWhatNoDirectiveSays()
{
    const auto refusal = [](const std::vector<Task>& tasks) {
        const auto written = writeTaskList(tasks);
        const std::string_view beginning = "task 1 cannot be written in a task list: ";
        if (written.ok() || !written.error().message.starts_with(beginning))
            return std::string("written");
        return written.error().message.substr(beginning.size());
    };
    const auto withSettings = [&](const TaskSettings& settings) {
        std::vector<Task> tasks{taskOf("a"), taskOf("b")};
        tasks[1].settings = std::make_shared<const TaskSettings>(settings);
        return refusal(tasks);
    };
    TaskSettings settings;
    settings.timeout = std::chrono::milliseconds(0);
    QCOMPARE(withSettings(settings), std::string("its time limit is out of range"));
    settings = {};
    settings.workingDirectory = "a\nb";
    QCOMPARE(withSettings(settings),
             std::string("its working directory has a newline or a NUL byte"));
    settings = {};
    settings.environment = {{"A", "1\n"}};
    QCOMPARE(withSettings(settings), std::string("the variable A has a newline or a NUL byte"));
    settings.environment = {{"A B", "1"}};
    QCOMPARE(withSettings(settings), std::string("a variable has the name \"A B\""));
    settings.environment = {{"A", "1"}, {"A", "2"}};
    QCOMPARE(withSettings(settings), std::string("the variable A is set twice"));
    settings = {};
    settings.seat = WorldSeat{0, Rank(0)};
    QCOMPARE(withSettings(settings),
             std::string("it is a rank of a world, which a list cannot say"));

    const auto withLinks = [&](const TaskLinks& zero, const TaskLinks& one, const TaskLinks& two) {
        std::vector<Task> tasks{taskOf("a"), taskOf("b"), taskOf("c")};
        const TaskLinks* links[] = {&zero, &one, &two};
        for (std::size_t i = 0; i < 3; ++i) {
            if (*links[i] != TaskLinks{})
                tasks[i].links = std::make_shared<const TaskLinks>(*links[i]);
        }
        return refusal(tasks);
    };
    const TaskLinks x{.label = "x", .after = {}};
    QCOMPARE(withLinks({}, {.label = "", .after = {TaskId(0)}}, {}),
             std::string("it comes after a task that has no label"));
    QCOMPARE(withLinks({}, {.label = "", .after = {TaskId(3)}}, {}),
             std::string("it comes after a task that is not in the list"));
    QCOMPARE(withLinks(x, {.label = "", .after = {TaskId(0)}}, x),
             std::string("it comes after some tasks of a label and not after others"));
    QCOMPARE(withLinks(x, {.label = "", .after = {TaskId(2)}}, x),
             std::string("it comes after some tasks of a label and not after others"));
    QCOMPARE(withLinks({}, {.label = "x,y", .after = {}}, {}),
             std::string("its label has a comma, a newline or a NUL byte"));

    std::vector<Task> tasks{taskOf("a"), taskOf("b")};
    tasks[0].stage = 1;
    QCOMPARE(refusal(tasks), std::string("its stage is before that of the task above it"));
}

QTEST_APPLESS_MAIN(TaskListWriterTest)

} // namespace tst_tasklistwriter

#include "tst_tasklistwriter.moc"
