// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskfield.h"

#include "domain/shellword.h"
#include "tasklist/directive.h"
#include "tasklist/duration.h"
#include "tasklist/retries.h"
#include "tasklist/tasklistreader.h"

#include <QCoreApplication>
#include <QStringDecoder>

#include <algorithm>

namespace tasuki {

namespace {

/// Groups the words for translators.
struct FieldWords {
    Q_DECLARE_TR_FUNCTIONS(TaskField)
};

QString fromBytes(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

bool isUtf8(std::string_view bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder.decode(
        QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    return !decoder.hasError() && text.toStdString() == bytes;
}

std::string environmentText(const TaskSettings& settings)
{
    std::string text;
    for (const auto& [name, value] : settings.environment) {
        text += text.empty() ? "" : " ";
        text += name + '=' + (value.empty() ? std::string() : quoteDirectiveValue(value));
    }
    return text;
}

/// @return what is told first, for people
QString firstProblem(const std::vector<Diagnostic>& found)
{
    const auto error = std::ranges::find_if(found, &Diagnostic::isError);
    if (error == found.end())
        return {};
    return fromBytes(error->remedy.empty() ? error->message.text()
                                           : error->message.text() + "; " + error->remedy.text());
}

QString setCommand(TaskContent& content, const std::string& text)
{
    if (text.empty())
        return FieldWords::tr("A task needs a command.");
    if (text.front() == '#')
        return FieldWords::tr("A line that begins with # is a comment.");
    const auto parse = parseTaskList(text + '\n', "");
    if (const QString problem = firstProblem(parse.diagnostics); !problem.isEmpty())
        return problem;
    if (parse.tasks.size() != 1)
        return FieldWords::tr(
            "This is more than one command: put \\ at the end of a line that goes on.");
    if (parse.tasks.front().command != text)
        return FieldWords::tr("A task list cannot hold this command; put it in a script.");
    content.command = text;
    return {};
}

QString setRetries(TaskContent& content, const std::string& text)
{
    auto budget = parseRetries(text, content.settings.retries);
    if (!budget)
        return fromBytes(budget.error().text());
    content.settings.retries = *budget;
    return {};
}

QString setTimeout(TaskContent& content, const std::string& text)
{
    if (text.empty() || text == "none") {
        content.settings.timeout.reset();
        return {};
    }
    auto duration = parseDuration(text);
    if (!duration)
        return fromBytes(duration.error().text());
    content.settings.timeout = *duration;
    return {};
}

QString setDirectory(TaskContent& content, const std::string& text)
{
    content.settings.workingDirectory = text == "default" ? std::string() : text;
    return {};
}

QString setEnvironment(TaskContent& content, const std::string& text)
{
    DiagnosticSink sink("");
    const auto items = splitDirective("#TASUKI " + text, 1, 1, sink);
    if (const QString problem = firstProblem(sink.take()); !problem.isEmpty())
        return problem;
    std::vector<std::pair<std::string, std::string>> environment;
    for (const DirectiveItem& item : items) {
        if (!item.hasValue)
            return FieldWords::tr("%1 has no value: write NAME=VALUE.").arg(fromBytes(item.key));
        if (!isVariableName(item.key))
            return FieldWords::tr("%1 is no name of a variable.").arg(fromBytes(item.key));
        const bool twice = std::ranges::any_of(
            environment, [&](const auto& variable) { return variable.first == item.key; });
        if (twice)
            return FieldWords::tr("%1 is set twice.").arg(fromBytes(item.key));
        environment.emplace_back(item.key, item.value);
    }
    content.settings.environment = std::move(environment);
    return {};
}

} // namespace

QString fieldText(const TaskContent& content, TaskField field)
{
    const TaskSettings& settings = content.settings;
    switch (field) {
    case TaskField::Command: return fromBytes(content.command);
    case TaskField::Retries: return fromBytes(formatRetries(settings.retries));
    case TaskField::Timeout:
        return settings.timeout ? fromBytes(formatDuration(*settings.timeout)) : QString();
    case TaskField::Directory: return fromBytes(settings.workingDirectory);
    case TaskField::Environment: return fromBytes(environmentText(settings));
    }
    return {};
}

QString setField(TaskContent& content, TaskField field, const QString& text)
{
    // What the cell shows already is taken as it is, also when no list could hold it.
    if (text == fieldText(content, field))
        return {};
    const std::string bytes = text.trimmed().toStdString();
    if (bytes.find('\0') != std::string::npos)
        return FieldWords::tr("A NUL byte cannot be part of this.");
    if (field != TaskField::Command && bytes.find('\n') != std::string::npos)
        return FieldWords::tr("This must be one line.");
    switch (field) {
    case TaskField::Command: return setCommand(content, bytes);
    case TaskField::Retries: return setRetries(content, bytes);
    case TaskField::Timeout: return setTimeout(content, bytes);
    case TaskField::Directory: return setDirectory(content, bytes);
    case TaskField::Environment: return setEnvironment(content, bytes);
    }
    return {};
}

bool fieldIsText(const TaskContent& content, TaskField field)
{
    switch (field) {
    case TaskField::Command: return isUtf8(content.command);
    case TaskField::Directory: return isUtf8(content.settings.workingDirectory);
    case TaskField::Environment: return isUtf8(environmentText(content.settings));
    case TaskField::Retries:
    case TaskField::Timeout: return true;
    }
    return true;
}

} // namespace tasuki
