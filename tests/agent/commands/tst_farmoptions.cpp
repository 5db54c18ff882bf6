// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "commands/farmoptions.h"

#include <filesystem>

namespace tst_farmoptions {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

Result<FarmOptions> farmOptions(const Arguments& arguments)
{
    return parseFarmOptions(FarmCommand::Farm, arguments);
}

Result<FarmOptions> worldOptions(const Arguments& arguments)
{
    return parseFarmOptions(FarmCommand::World, arguments);
}

Arguments argumentsOf(const QStringList& words)
{
    Arguments arguments;
    for (const QString& word : words)
        arguments.push_back(word.toStdString());
    return arguments;
}

} // namespace

class tst_FarmOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaults()
    {
        const auto options = farmOptions({"dir/list.sh"});
        QVERIFY(options.ok());
        QCOMPARE(options->runFile, std::string("list.tasuki"));
        QCOMPARE(farmOptions({"-"})->runFile, std::string("stdin.tasuki"));
        QCOMPARE(farmOptions({"-", "--run", "a.tasuki"})->runFile, std::string("a.tasuki"));
        QCOMPARE(*options->slots, 1U);
        QCOMPARE(options->retries, RetryBudget{});
        QVERIFY(!options->timeout);
        QCOMPARE(*options->cpsLog, std::string("cps.log"));
        QVERIFY(!options->resume && !options->dedicatedMaster && !options->quiet);
        QVERIFY(!options->serve);
        QVERIFY(options->listen == link::TcpAddress{} && !options->healthLog);
    }

    void serve()
    {
        const auto options = parseFarmOptions(FarmCommand::Serve,
                                              {"--slots", "3", "--listen", "none"});
        QVERIFY(options.ok());
        QVERIFY(options->serve && !options->taskList && !options->listen);
        QCOMPARE(options->runFile, std::string("serve.tasuki"));
        QCOMPARE(*options->slots, 3U);
        const auto resumed = parseFarmOptions(FarmCommand::Serve, {"--resume", "r.tasuki"});
        QVERIFY(resumed.ok() && resumed->resume);
        const auto elsewhere = farmOptions({"l", "--listen", "127.0.0.1:7070"});
        QVERIFY(elsewhere.ok());
        QCOMPARE(elsewhere->listen->port, std::uint16_t(7070));
    }

    void world()
    {
        const auto plain = worldOptions({"--", "./solver", "-n", "4 8", "--in", "it's"});
        QVERIFY(plain.ok());
        QVERIFY(plain->world && !plain->serve && !plain->resume && !plain->taskList);
        QCOMPARE(plain->world->command, std::string("./solver -n '4 8' --in 'it'\\''s'"));
        QVERIFY(plain->world->subcluster.empty() && !plain->world->trace && !plain->topology);
        QCOMPARE(*plain->slots, 1U);
        QVERIFY(!plain->timeout);
        const auto everything = worldOptions({"dir/t.toml", "--in", "left", "--trace", "t.alog",
                                              "--timeout=1m", "--quiet", "--", "/bin/x", "", "--"});
        QVERIFY(everything.ok());
        QCOMPARE(*everything->topology, std::string("dir/t.toml"));
        QCOMPARE(everything->world->command,
                 std::string("/bin/x '' --")); // all behind the first --
        QCOMPARE(everything->world->subcluster, std::string("left"));
        QCOMPARE(*everything->world->trace,
                 std::filesystem::absolute("t.alog").string()); // tasks may run elsewhere
        QCOMPARE(*everything->timeout, 60'000ms);
        QVERIFY(everything->quiet);
        const auto byTopology = worldOptions({"t.toml"});
        QVERIFY(byTopology.ok() && byTopology->world->command.empty());
        const auto resumed = worldOptions({"--resume", "r.tasuki"});
        QVERIFY(resumed.ok() && resumed->resume && resumed->world->command.empty());
        QVERIFY(!farmOptions({"l"})->world && !parseFarmOptions(FarmCommand::Serve, {})->world);
    }

    void recordsOfWorlds_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("runFile");
        QTest::newRow("program") << QStringList{"--", "./solver.x", "a"} << "solver.x.tasuki";
        QTest::newRow("elsewhere") << QStringList{"--", "/a b/c d", "a"} << "c d.tasuki";
        QTest::newRow("with a topology") << QStringList{"t.toml", "--", "p"} << "p.tasuki";
        QTest::newRow("by the topology") << QStringList{"dir/t.toml"} << "t.tasuki";
        QTest::newRow("no name") << QStringList{"--", "dir/"} << "world.tasuki";
        QTest::newRow("named") << QStringList{"--run", "r", "--", "p"} << "r";
        QTest::newRow("continued") << QStringList{"--continue", "--", "p"} << "p.tasuki";
        QTest::newRow("resumed") << QStringList{"t.toml", "--resume", "r"} << "r";
    }

    void recordsOfWorlds()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, runFile);
        const auto options = worldOptions(argumentsOf(arguments));
        QVERIFY(options.ok());
        QCOMPARE(options->runFile, runFile.toStdString());
    }

    void wrongWorlds_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QStringList& arguments, const char* message) {
            QTest::newRow(name) << arguments << QString(message);
        };
        row("nothing", {}, "world: no program");
        row("nothing behind --", {"--"}, "world: no program");
        row("options alone", {"--quiet", "--run", "r"}, "world: no program");
        row("resumed with a program", {"--resume", "r", "--", "./p"},
            "world: --resume and a program exclude each other");
        row("a place and no program", {"t.toml", "--in", "left"}, "world: --in without a program");
        row("a place to resume", {"--resume", "r", "--in", "left"},
            "world: --in without a program");
        row("two topologies", {"a.toml", "b.toml"}, "positional");
        row("program without --", {"t.toml", "./p"}, "positional");
        row("topology and silence", {"t.toml", "--lost-after", "1s", "--", "p"},
            "world: a topology and --lost-after exclude each other");
        row("topology and master", {"t.toml", "--dedicated-master", "--", "p"},
            "world: a topology and --dedicated-master exclude each other");
        row("slots", {"--slots", "2", "--", "p"}, "--slots");
        row("retries", {"--retries", "2", "--", "p"}, "--retries");
        row("chosen tasks", {"--resume", "r", "--retry", "0"}, "--retry");
        row("topology as an option", {"--topology", "t.toml", "--", "p"}, "--topology");
        row("time limit", {"--timeout", "soon", "--", "p"}, "world: --timeout 'soon'");
        row("run and resume", {"--run", "a", "--resume", "b"},
            "world: --run and --resume exclude each other");
    }

    void wrongWorlds()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, message);
        const auto options = worldOptions(argumentsOf(arguments));
        QVERIFY(!options.ok());
        QCOMPARE(options.error().kind, ErrorKind::Input);
        const QString text = QString::fromStdString(options.error().text());
        QVERIFY2(text.contains(message) && text.contains("world"), qPrintable(text));
        QVERIFY(!text.contains('\n'));
    }

    void records_data()
    {
        QTest::addColumn<int>("command");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("record");
        QTest::addColumn<QString>("runFile");
        const auto row = [](const char* name, FarmCommand command, const QStringList& arguments,
                            RecordChoice record, const char* runFile) {
            QTest::newRow(name) << static_cast<int>(command) << arguments
                                << static_cast<int>(record) << QString(runFile);
        };
        const FarmCommand farm = FarmCommand::Farm;
        row("usual", farm, {"a/l.sh"}, RecordChoice::Named, "l.tasuki");
        row("named", farm, {"l.sh", "--run", "any name"}, RecordChoice::Named, "any name");
        row("new", farm, {"l.sh", "--new"}, RecordChoice::Dated, "l.tasuki");
        row("none", farm, {"l.sh", "--run", "none"}, RecordChoice::NotKept, "l.tasuki");
        row("none=", farm, {"l.sh", "--run=none"}, RecordChoice::NotKept, "l.tasuki");
        row("a file", farm, {"l.sh", "--run", "./none"}, RecordChoice::Named, "./none");
        row("another file", farm, {"l.sh", "--run", "None"}, RecordChoice::Named, "None");
        row("resumed file", farm, {"--resume", "none"}, RecordChoice::Named, "none");
        row("input", farm, {"-"}, RecordChoice::DatedIfTaken, "stdin.tasuki");
        row("input, new", farm, {"-", "--new"}, RecordChoice::Dated, "stdin.tasuki");
        row("input, none", farm, {"-", "--run", "none"}, RecordChoice::NotKept, "stdin.tasuki");
        row("input, named", farm, {"-", "--run", "r"}, RecordChoice::Named, "r");
        row("input, continued", farm, {"-", "--continue"}, RecordChoice::Named, "stdin.tasuki");
        row("input, resumed", farm, {"-", "--resume", "r"}, RecordChoice::Named, "r");
        row("serve, new", FarmCommand::Serve, {"--new"}, RecordChoice::Dated, "serve.tasuki");
        row("serve, none", FarmCommand::Serve, {"--run", "none"}, RecordChoice::NotKept,
            "serve.tasuki");
        row("world, new", FarmCommand::World, {"--new", "--", "./p.x"}, RecordChoice::Dated,
            "p.x.tasuki");
        row("world, none", FarmCommand::World, {"--run", "none", "--", "./p", "--new"},
            RecordChoice::NotKept, "p.tasuki");
    }

    // Fails if a name that scripts give today means something else, or a run gets a record that nobody asked for.
    void records()
    {
        QFETCH(const int, command);
        QFETCH(const QStringList, arguments);
        QFETCH(const int, record);
        QFETCH(const QString, runFile);
        const auto options = parseFarmOptions(static_cast<FarmCommand>(command),
                                              argumentsOf(arguments));
        QVERIFY2(options.ok(), options.ok() ? "" : options.error().text().c_str());
        QCOMPARE(static_cast<int>(options->record), record);
        QCOMPARE(options->runFile, runFile.toStdString());
        QCOMPARE(isKept(*options), options->record != RecordChoice::NotKept);
    }

    void resuming_data()
    {
        QTest::addColumn<int>("command");
        QTest::addColumn<QStringList>("given");
        QTest::addColumn<QStringList>("expected");
        const QStringList resume{"--resume", "/r"};
        const auto farm = static_cast<int>(FarmCommand::Farm);
        const auto serve = static_cast<int>(FarmCommand::Serve);
        QTest::newRow("list") << farm << QStringList{"list.sh"} << resume;
        QTest::newRow("run") << farm << QStringList{"--run", "a b", "list.sh"} << resume;
        QTest::newRow("run=") << farm << QStringList{"list.sh", "--run=x"} << resume;
        QTest::newRow("resumed") << farm << QStringList{"--resume=old", "--retry-failed"} << resume;
        QTest::newRow("chosen tasks") << farm << QStringList{"--resume", "old", "--retry=3,7-9"}
                                      << resume + QStringList{"--only", "3,7-9"};
        QTest::newRow("chosen tasks, again")
            << farm << QStringList{"--resume", "old", "--only", "3"}
            << QStringList{"--only", "3"} + resume;
        QTest::newRow("continued") << farm << QStringList{"list.sh", "--continue"} << resume;
        QTest::newRow("others stay")
            << farm << QStringList{"--quiet",   "list.sh", "--topology", "a b.toml",
                                   "--slots=2", "--run",   "x"}
            << QStringList{"--quiet", "--topology", "a b.toml", "--slots=2"} + resume;
        QTest::newRow("new") << farm << QStringList{"list.sh", "--new"} << resume;
        QTest::newRow("input") << farm << QStringList{"-"} << resume;
        QTest::newRow("separated")
            << farm << QStringList{"--quiet", "--", "--list"} << QStringList{"--quiet"} + resume;
        const auto world = static_cast<int>(FarmCommand::World);
        QTest::newRow("world") << world << QStringList{"--", "./p", "--quiet"} << resume;
        QTest::newRow("world with all")
            << world << QStringList{"t.toml",  "--in", "left", "--trace=t", "--run", "x",
                                    "--quiet", "--",   "./p",  "--in",      "right"}
            << QStringList{"t.toml", "--quiet"} + resume;
        QTest::newRow("world by its topology")
            << world << QStringList{"--continue", "t.toml"} << QStringList{"t.toml"} + resume;
        QTest::newRow("world, new") << world << QStringList{"--new", "--", "./p"} << resume;
        QTest::newRow("world resumed")
            << world << QStringList{"--resume", "o", "--retry-failed"} << resume;
        QTest::newRow("serve") << serve << QStringList{"--slots", "2"}
                               << QStringList{"--slots", "2"} + resume;
        QTest::newRow("serve, nothing") << serve << QStringList{} << resume;
    }

    // Fails if a run that is started again would begin anew, take its list for the whole record, or
    // run what has failed once more.
    void resuming()
    {
        QFETCH(int, command);
        QFETCH(QStringList, given);
        QFETCH(QStringList, expected);
        const Arguments arguments = argumentsOf(given);
        const auto which = static_cast<FarmCommand>(command);
        QStringList found;
        const Arguments resuming = resumingArguments(which, arguments, "/r");
        for (const std::string& argument : resuming)
            found << QString::fromStdString(argument);
        QCOMPARE(found, expected);
        const auto options = parseFarmOptions(which, resuming);
        QVERIFY(options.ok());
        QVERIFY(options->resume && !options->taskList && !options->retryFailed);
        QCOMPARE(options->runFile, std::string("/r"));
    }

    void everything()
    {
        const auto options = farmOptions({"l", "--resume", "r.tasuki", "--retry-failed", "--slots",
                                          "auto", "--retries=2", "--timeout", "1m30s",
                                          "--lost-after", "3s", "--cps-log", "none", "--health-log",
                                          "h", "--quiet", "--dedicated-master", "--dry-run"});
        QVERIFY(options.ok());
        QCOMPARE(options->runFile, std::string("r.tasuki"));
        QVERIFY(options->resume && options->retryFailed && !options->slots);
        QCOMPARE(options->retries.of(RetryCause::Exit), 2);
        QCOMPARE(options->retries.of(RetryCause::Signal), 2);
        QCOMPARE(options->retries.of(RetryCause::Timeout), 2);
        QCOMPARE(options->retries.of(RetryCause::ProcessorLost), 3);
        QCOMPARE(*options->timeout, 90'000ms);
        QCOMPARE(options->lostAfter, 3'000ms);
        QCOMPARE(options->healthLog, std::optional<std::string>("h"));
        QVERIFY(!options->cpsLog && options->quiet && options->dedicatedMaster && options->dryRun);
    }

    void chosenTasks()
    {
        const auto retry = farmOptions({"--resume", "r", "--retry", "3,7-9,0"});
        QVERIFY(retry.ok() && retry->onlyAgain);
        const std::vector<farm::TaskRange> ranges{
            {TaskId(3), TaskId(3)}, {TaskId(7), TaskId(9)}, {TaskId(0), TaskId(0)}};
        QVERIFY(retry->only == ranges);
        const auto only = farmOptions({"--resume", "r", "--only", "4294967295"});
        QVERIFY(only.ok() && !only->onlyAgain);
        QCOMPARE(only->only.front().last.value(), std::numeric_limits<std::uint32_t>::max());
    }

    void allocations()
    {
        const auto options = farmOptions(
            {"l", "--continue", "--retry-failed", "--time-limit", "59m"});
        QVERIFY(options.ok());
        QVERIFY(options->continues && !options->resume && options->retryFailed);
        QCOMPARE(options->runFile, std::string("l.tasuki"));
        QCOMPARE(*options->timeLimit, std::chrono::milliseconds(59min));
        const auto requeued = farmOptions({"l", "--requeue"});
        QVERIFY(requeued.ok() && requeued->requeue && requeued->continues);
        const auto resumed = farmOptions({"--resume", "r.tasuki", "--requeue"});
        QVERIFY(resumed.ok() && resumed->requeue && !resumed->continues);
    }

    void resumeNeedsNoList()
    {
        const auto options = farmOptions({"--resume", "r.tasuki"});
        QVERIFY(options.ok());
        QVERIFY(!options->taskList);
    }

    void wrong_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        QTest::addColumn<bool>("serve");
        QTest::newRow("no list") << QStringList{} << "no task list" << false;
        QTest::newRow("unknown") << QStringList{"l", "--slot", "2"} << "--slot" << false;
        QTest::newRow("two lists") << QStringList{"l", "m"} << "positional" << false;
        QTest::newRow("continue and resume")
            << QStringList{"--resume", "r", "--continue"} << "--continue" << false;
        QTest::newRow("time limit")
            << QStringList{"l", "--time-limit", "soon"} << "--time-limit 'soon'" << false;
        QTest::newRow("slots 0") << QStringList{"l", "--slots", "0"} << "--slots '0'" << false;
        QTest::newRow("slots x") << QStringList{"l", "--slots", "2x"} << "--slots '2x'" << false;
        QTest::newRow("slots huge") << QStringList{"l", "--slots", "5000"} << "--slots" << false;
        QTest::newRow("retries") << QStringList{"l", "--retries", "-1"} << "--retries" << false;
        QTest::newRow("retries big")
            << QStringList{"l", "--retries", "65536"} << "--retries" << false;
        QTest::newRow("timeout") << QStringList{"l", "--timeout", "soon"} << "--timeout 'soon'"
                                 << false;
        QTest::newRow("timeout 0")
            << QStringList{"l", "--timeout", "0"} << "--timeout '0'" << false;
        QTest::newRow("lost-after")
            << QStringList{"l", "--lost-after", "1ms"} << "--lost-after" << false;
        QTest::newRow("both") << QStringList{"l", "--run", "a", "--resume", "b"} << "--run"
                              << false;
        QTest::newRow("retry-failed")
            << QStringList{"l", "--retry-failed"} << "--retry-failed" << false;
        QTest::newRow("retry without resume")
            << QStringList{"l", "--retry", "3"} << "--retry needs --resume" << false;
        QTest::newRow("only and retry")
            << QStringList{"--resume", "r", "--retry", "3", "--only", "4"} << "exclude" << false;
        QTest::newRow("retry and retry-failed")
            << QStringList{"--resume", "r", "--retry", "3", "--retry-failed"} << "exclude" << false;
        for (const char* choice : {"", "x", "3,", ",3", "9-7", "3-", "3 4", "4294967296"})
            QTest::addRow("retry '%s'", choice)
                << QStringList{"--resume", "r", "--retry", choice} << "--retry" << false;
        QTest::newRow("serve chosen")
            << QStringList{"--resume", "r", "--retry", "3"} << "--retry" << true;
        const auto excluded = [](const QStringList& options, const char* named) {
            QTest::addRow("%s", qPrintable(options.join(' ')))
                << QStringList{"l"} + options << named << false;
        };
        excluded({"--new", "--run", "r"}, "--new and --run exclude each other");
        excluded({"--new", "--run", "none"}, "--new and --run exclude each other");
        excluded({"--new", "--resume", "r"}, "--new and --resume exclude each other");
        excluded({"--new", "--continue"}, "--new and --continue exclude each other");
        excluded({"--new", "--requeue"}, "--run l-$SLURM_JOB_ID.tasuki");
        excluded({"--new", "--requeue", "--continue"}, "--new and --requeue exclude each other");
        excluded({"--run", "none", "--continue"}, "--run none and --continue exclude each other");
        excluded({"--run", "none", "--requeue"}, "--run none and --requeue exclude each other");
        excluded({"--run", "none", "--resume", "r"}, "--run and --resume exclude each other");
        excluded({"--run", "none", "--retry-failed"}, "--retry-failed needs");
        QTest::newRow("no value") << QStringList{"l", "--run"} << "--run" << false;
        QTest::newRow("listen") << QStringList{"l", "--listen", "elsewhere"}
                                << "farm: --listen 'elsewhere'" << false;
        QTest::newRow("other hosts")
            << QStringList{"l", "--listen", "0.0.0.0"} << "--listen" << false;
        QTest::newRow("serve a list") << QStringList{"list.sh"} << "serve: " << true;
        QTest::newRow("serve dry") << QStringList{"--dry-run"} << "--dry-run" << true;
        QTest::newRow("serve slots") << QStringList{"--slots", "0"} << "serve: --slots '0'" << true;
    }

    // Fails if a wrong option is accepted, or if the error does not name it.
    void wrong()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, named);
        QFETCH(const bool, serve);
        const Arguments texts = argumentsOf(arguments);
        const auto options = parseFarmOptions(serve ? FarmCommand::Serve : FarmCommand::Farm,
                                              texts);
        QVERIFY(!options.ok());
        QCOMPARE(options.error().kind, ErrorKind::Input);
        const QString text = QString::fromStdString(options.error().text());
        QVERIFY2(text.contains(named), qPrintable(text));
        QVERIFY(!text.contains('\n'));
    }

    void helpNamesEveryOption()
    {
        for (const char* option : {"--run", "--resume", "--retry-failed", "--retry", "--only",
                                   "--dedicated-master", "--slots", "--retries", "--timeout",
                                   "--lost-after", "--cps-log", "--dry-run", "--quiet", "--listen"})
            QVERIFY2(farmHelp(FarmCommand::Farm).find(option) != std::string::npos, option);
        const std::string help = farmHelp(FarmCommand::Serve);
        QVERIFY(help.find("--listen") != std::string::npos);
        QVERIFY(help.find("--dry-run") == std::string::npos);
        const std::string world = farmHelp(FarmCommand::World);
        for (const char* option : {"--in", "--trace", "--resume", "--timeout", "-- PROGRAM"})
            QVERIFY2(world.find(option) != std::string::npos, option);
        for (const char* option : {"--slots", "--retries", "--only", "--topology", "--dry-run"})
            QVERIFY2(world.find(option) == std::string::npos, option);
    }
};

QTEST_APPLESS_MAIN(tst_FarmOptions)

} // namespace tst_farmoptions

#include "tst_farmoptions.moc"
