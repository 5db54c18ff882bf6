// SPDX-License-Identifier: GPL-3.0-or-later
#include "askpass.h"
#include "files/recordmode.h"
#include "languages.h"
#include "mainwindow.h"
#include "options.h"
#include "planner/planpage.h"
#include "screenshot.h"
#include "sizeonscreen.h"
#include "utf8locale.h"
#include "views/icons.h"
#include "views/launchplan.h"
#include "views/theme.h"
#include "wire/accessfile.h"

#include <QApplication>
#include <QLoggingCategory>
#include <QScreen>

#include <cstdio>
#include <memory>
#include <optional>

namespace {

using namespace tasuki;

enum ExitCode : int { Fine = 0, NotShown = 1, WrongUsage = 2 };

int complain(const QString& text, ExitCode code)
{
    std::fprintf(stderr, "tasuki: error: %s\n", qUtf8Printable(text));
    return code;
}

int complain(const Error& error, ExitCode code)
{
    return complain(QString::fromStdString(error.text()), code);
}

bool hasDisplay()
{
    return !qEnvironmentVariableIsEmpty("DISPLAY")
        || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
        || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

/// They name the runs that were looked at.
std::unique_ptr<QSettings> ownSettings()
{
    auto settings = std::make_unique<QSettings>();
    keepForOwner(settings->fileName().toStdString());
    return settings;
}

/// The window while the program runs; the order is that of use.
struct Program {
    explicit Program(const Options& options)
        : preferences(ownSettings()), screenshot(!options.screenshot.isEmpty())
    {
        if (options.theme)
            preferences.overrideTheme(*options.theme);
        if (!options.language.isEmpty())
            preferences.overrideLanguage(options.language);
        theme::apply(preferences.theme());
        languages.use(preferences.language());
    }

    SystemClock clock;
    Preferences preferences;
    Languages languages;
    bool screenshot;
};

void selectTask(MainWindow& window, TaskId task)
{
    RunModels& models = window.page()->models();
    const auto select = [&models, task] {
        if (task.value() < models.session.state().tasks().size())
            models.selection.setTask(task);
    };
    QObject::connect(&models.session, &Session::loadingChanged, &models.selection,
                     [&models, select] {
                         if (!models.session.loading())
                             select();
                     });
}

int run(QApplication& application, const Options& options)
{
    const auto directory = link::accessDirectory();
    if (!directory)
        return complain(directory.error(), NotShown);
    std::optional<Target> target;
    if (!options.target.isEmpty()) {
        const auto found = findTarget(options.target, *directory);
        if (!found)
            return complain(found.error(), WrongUsage);
        target = *found;
    }
    Program program(options);
    MainWindow window(program.preferences, program.languages, program.clock,
                      {.accessDirectory = *directory, .agentProgram = findAgentProgram()});
    if (options.size.isValid())
        window.resize(options.size);
    else if (!program.screenshot)
        window.resize(sizeOnScreen(window.size(), window.screen()->availableSize()));
    if (target)
        window.open(*target);
    if (!options.environment.isEmpty())
        window.openEnvironment(options.environment);
    if (!options.measurements.isEmpty())
        window.planPage()->loadMeasurementsLater(options.measurements);
    window.setView(options.view);
    if (options.task && window.page() != nullptr)
        selectTask(window, *options.task);
    int code = Fine;
    std::unique_ptr<Screenshot> screenshot;
    if (program.screenshot) {
        // Offscreen, Qt warns of what a picture does not need.
        QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
        screenshot = std::make_unique<Screenshot>(window, options.screenshot, program.clock);
        QObject::connect(screenshot.get(), &Screenshot::done, &application,
                         [&](const QString& problem) {
                             if (!problem.isEmpty())
                                 code = complain(problem, NotShown);
                             QApplication::exit(code);
                         });
    }
    window.show();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    QApplication::setApplicationName(QStringLiteral("tasuki"));
    QApplication::setOrganizationName(QStringLiteral("tasuki"));
    QApplication::setDesktopFileName(QStringLiteral("tasuki"));
    if (isAskedBySsh() && hasDisplay()) {
        QApplication application(argc, argv);
        const Program program({});
        QApplication::setWindowIcon(icons::application());
        return answerSsh(arguments.value(1));
    }
    const auto options = parseOptions(arguments);
    if (!options)
        return complain(options.error(), WrongUsage);
    if (options->wanted == Options::Wanted::Help) {
        std::fputs(qUtf8Printable(helpText()), stdout);
        return Fine;
    }
    if (options->wanted == Options::Wanted::Version) {
        std::fputs(qUtf8Printable(versionText()), stdout);
        return Fine;
    }
    if (!hasDisplay()) {
        if (options->screenshot.isEmpty())
            return complain(QStringLiteral("there is no display: neither DISPLAY nor "
                                           "WAYLAND_DISPLAY is set; --screenshot FILE needs none"),
                            NotShown);
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    std::optional<Utf8Locale> locale(std::in_place);
    QApplication application(argc, argv);
    locale.reset();
    return run(application, *options);
}
