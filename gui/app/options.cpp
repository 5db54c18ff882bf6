// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "inputerror.h"

#include "guiversion.h"
#include "target.h"

#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace tasuki {

namespace {

constexpr int smallestSide = 200;
constexpr int largestSide = 8192;

// What a terminal prints is English, as what tasuki-agent prints.
const QCommandLineOption& viewOption()
{
    static const QCommandLineOption option(QStringLiteral("view"),
                                           QStringLiteral("What the middle shows: ")
                                               + runViewNames().join(QStringLiteral(", "))
                                               + QStringLiteral("."),
                                           QStringLiteral("NAME"));
    return option;
}

const QCommandLineOption& taskOption()
{
    static const QCommandLineOption option(QStringLiteral("task"),
                                           QStringLiteral("Select this task, counted from 0."),
                                           QStringLiteral("ID"));
    return option;
}

const QCommandLineOption& environmentOption()
{
    static const QCommandLineOption option(
        QStringLiteral("environment"),
        QStringLiteral("Nodes and links (TOML) that a trace is planned for."),
        QStringLiteral("FILE"));
    return option;
}

const QCommandLineOption& measuredOption()
{
    static const QCommandLineOption option(
        QStringLiteral("measured"),
        QStringLiteral("Measured runtimes (CSV) to show beside the predicted ones."),
        QStringLiteral("FILE"));
    return option;
}

const QCommandLineOption& screenshotOption()
{
    static const QCommandLineOption option(
        QStringLiteral("screenshot"),
        QStringLiteral(
            "Write a picture of the window to this PNG file and exit; needs no display."),
        QStringLiteral("FILE"));
    return option;
}

const QCommandLineOption& sizeOption()
{
    static const QCommandLineOption option(QStringLiteral("size"),
                                           QStringLiteral("Size of the window, e.g. 1280x800."),
                                           QStringLiteral("WxH"));
    return option;
}

const QCommandLineOption& themeOption()
{
    static const QCommandLineOption option(
        QStringLiteral("theme"), QStringLiteral("Colours for this time: light, dark or system."),
        QStringLiteral("THEME"));
    return option;
}

const QCommandLineOption& languageOption()
{
    static const QCommandLineOption option(QStringLiteral("language"),
                                           QStringLiteral("Language for this time: en or ja."),
                                           QStringLiteral("LANGUAGE"));
    return option;
}

const QCommandLineOption& helpOption()
{
    static const QCommandLineOption option({QStringLiteral("h"), QStringLiteral("help")},
                                           QStringLiteral("Print this and exit."));
    return option;
}

const QCommandLineOption& versionOption()
{
    static const QCommandLineOption option({QStringLiteral("v"), QStringLiteral("version")},
                                           QStringLiteral("Print the version and exit."));
    return option;
}

void describe(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("Watches and steers runs on a cluster."));
    parser.addPositionalArgument(
        QStringLiteral("AGENT|RUN|TRACE|TOPOLOGY"),
        QStringLiteral(
            "A running agent (its access file, its socket or the beginning of its run's "
            "id), a run file, a run on another host (ssh://HOST/PATH), for the planner a trace (an ALOG log) or an environment "
            "(*.toml), or a topology (*.toml) to edit. Without it: the start page."),
        QStringLiteral("[AGENT|RUN|TRACE|TOPOLOGY]"));
    for (const auto& option :
         {viewOption(), taskOption(), environmentOption(), measuredOption(), screenshotOption(),
          sizeOption(), themeOption(), languageOption(), helpOption(), versionOption()})
        parser.addOption(option);
}

Error badValue(const QString& option, const QString& value, const QString& expected)
{
    return inputError(QStringLiteral("--%1 '%2' is not valid").arg(option, value),
                      QStringLiteral("expected %1").arg(expected));
}

Result<void> readSize(const QString& text, Options& options)
{
    static const QRegularExpression pattern(QStringLiteral("\\A([0-9]{1,5})x([0-9]{1,5})\\z"));
    const auto match = pattern.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool fits = size.width() >= smallestSide && size.width() <= largestSide
        && size.height() >= smallestSide && size.height() <= largestSide;
    if (!match.hasMatch() || !fits)
        return badValue(QStringLiteral("size"), text,
                        QStringLiteral("WIDTHxHEIGHT from 200x200 to 8192x8192, e.g. 1280x800"));
    options.size = size;
    return {};
}

Result<void> readLook(const QCommandLineParser& parser, Options& options)
{
    if (parser.isSet(themeOption())) {
        const QString word = parser.value(themeOption());
        const QStringList words{QStringLiteral("system"), QStringLiteral("light"),
                                QStringLiteral("dark")};
        const auto index = words.indexOf(word);
        if (index < 0)
            return badValue(QStringLiteral("theme"), word, QStringLiteral("light, dark or system"));
        options.theme = static_cast<ThemeChoice>(index);
    }
    if (parser.isSet(languageOption())) {
        options.language = parser.value(languageOption());
        if (options.language != QLatin1String("en") && options.language != QLatin1String("ja"))
            return badValue(QStringLiteral("language"), options.language,
                            QStringLiteral("en or ja"));
    }
    if (parser.isSet(sizeOption()))
        return readSize(parser.value(sizeOption()), options);
    return {};
}

Result<void> readWhatIsShown(const QCommandLineParser& parser, Options& options)
{
    const QStringList targets = parser.positionalArguments();
    if (targets.size() > 1)
        return inputError(QStringLiteral("too many arguments, from '%1' on").arg(targets[1]),
                          QStringLiteral("give one agent or run"));
    if (!targets.isEmpty() && targets[0].isEmpty())
        return inputError(QStringLiteral("the agent or run is the empty text"),
                          QStringLiteral("give a run file or an agent, or nothing"));
    options.target = targets.value(0);
    if (parser.isSet(viewOption())) {
        const QString name = parser.value(viewOption());
        const auto view = runViewNamed(name);
        if (!view)
            return badValue(QStringLiteral("view"), name,
                            QStringLiteral("one of ") + runViewNames().join(QStringLiteral(", ")));
        options.view = *view;
    }
    if (parser.isSet(taskOption())) {
        bool number = false;
        const uint task = parser.value(taskOption()).toUInt(&number);
        if (!number)
            return badValue(QStringLiteral("task"), parser.value(taskOption()),
                            QStringLiteral("a number from 0"));
        options.task = TaskId(task);
    }
    if ((options.task || parser.isSet(viewOption())) && options.target.isEmpty())
        return inputError(QStringLiteral("--view and --task need something to show"),
                          QStringLiteral("give an agent or a run file"));
    options.environment = parser.value(environmentOption());
    options.measurements = parser.value(measuredOption());
    if ((!options.environment.isEmpty() || !options.measurements.isEmpty())
        && !looksLikeTrace(options.target))
        return inputError(QStringLiteral("--environment and --measured are for a trace"),
                          QStringLiteral("give a trace, an ALOG log of an MPI program"));
    if (parser.isSet(screenshotOption())) {
        options.screenshot = parser.value(screenshotOption());
        const QFileInfo file(options.screenshot);
        if (options.screenshot.isEmpty() || file.isDir() || !file.dir().exists())
            return badValue(QStringLiteral("screenshot"), options.screenshot,
                            QStringLiteral("a file in a directory that exists"));
    }
    return {};
}

} // namespace

Result<Options> parseOptions(const QStringList& arguments)
{
    QCommandLineParser parser;
    describe(parser);
    const QString tryHelp = QStringLiteral("try 'tasuki --help'");
    if (!parser.parse(arguments)) {
        QString text = parser.errorText();
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
        return inputError(text, tryHelp);
    }
    Options options;
    if (parser.isSet(helpOption())) {
        options.wanted = Options::Wanted::Help;
        return options;
    }
    if (parser.isSet(versionOption())) {
        options.wanted = Options::Wanted::Version;
        return options;
    }
    if (const auto read = readLook(parser, options); !read)
        return read.error();
    if (const auto read = readWhatIsShown(parser, options); !read)
        return read.error();
    return options;
}

QString helpText()
{
    QCommandLineParser parser;
    describe(parser);
    QString text = parser.helpText();
    // Without an application the parser does not know how the program is called.
    const auto end = text.indexOf(QLatin1Char('\n'));
    return QStringLiteral("Usage: tasuki [options] [AGENT|RUN|TRACE|TOPOLOGY]") + text.mid(end)
        + QStringLiteral("\nExit codes: 0 all is well, 1 what was asked for cannot be shown, "
                         "2 wrong usage.\n");
}

QString versionText()
{
    return QStringLiteral("tasuki ") + QLatin1String(guiVersion) + QLatin1Char('\n');
}

} // namespace tasuki
