// SPDX-License-Identifier: GPL-3.0-or-later
// evaluation NAME TRACE ENVIRONMENT MEASUREMENTS PREFIX: how well both models predict a program's
// runtimes under all its allocations. Prints a line of comma-separated values for each model, and
// writes PREFIX.csv (predicted and measured runtimes) and the models' charts.
// evaluation --head: prints the names of the columns.
// evaluation --runtime TRACE ENVIRONMENT: prints the runtime that `replay` predicts with task t on
// node t, in seconds.
#include <QApplication>
#include <QFile>
#include <QLocale>
#include <QSaveFile>
#include <QTranslator>

#include "chart/allocationchart.h"
#include "experiment.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace tasuki;
using evaluation::Experiment;
using evaluation::ExperimentFiles;
using evaluation::ModelResult;
using plan::Model;

constexpr int exitFailure = 1;
constexpr int exitWrongUsage = 2;

int fail(const std::string& text)
{
    std::fprintf(stderr, "evaluation: error: %s\n", text.c_str());
    return exitFailure;
}

bool writeFile(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size()
        && file.commit();
}

AllocationResults resultsOf(const Experiment& experiment, const ModelResult& result)
{
    plan::Ranking ranking(result.predicted.size());
    for (const plan::Ranked& ranked : result.predicted)
        ranking.add(ranked.allocation, ranked.timeUs);
    AllocationResults results = tasuki::resultsOf(*experiment.environment, ranking,
                                                  plan::AllocationCount(ranking.tried()));
    addMeasurements(results, experiment.measurements);
    return results;
}

/// The chart as the planner draws it, permutation by permutation.
bool writeChart(const Experiment& experiment, const ModelResult& result, const QString& title,
                const QString& path)
{
    AllocationList list;
    list.setOrder(AllocationOrder::Nodes);
    list.setResults(resultsOf(experiment, result));
    AllocationChart chart(list);
    chart.setTitle(title);
    chart.resize(1000, 420);
    chart.setAttribute(Qt::WA_DontShowOnScreen);
    chart.show();
    QApplication::processEvents(); // lays everything out
    return writeFile(path, chart.drawn(ChartFormat::Svg));
}

void printRow(const std::string& name, Model model, const Experiment& experiment,
              const plan::Evaluation& found)
{
    std::size_t runs = 0;
    for (const plan::Measurement& measurement : experiment.measurements)
        runs += measurement.seconds.size();
    std::printf("%s,%s,%zu,%zu,%llu,%.5f,%.5f,%.5f,%.5f,%.5f,%.5f,%.4f\n", name.c_str(),
                evaluation::modelName(model), found.allocations, runs,
                static_cast<unsigned long long>(experiment.failedRuns), found.errorA.value,
                found.errorA.low, found.errorA.high, found.spread, found.randomPickLoss,
                found.meanAbsoluteError, found.rankCorrelation);
}

QByteArray table(const Experiment& experiment, const ModelResult& lsmg, const ModelResult& replay)
{
    QByteArray text = "nodes,lsmg_s,replay_s,measured_s,runs\n";
    for (std::size_t index = 0; index < replay.predicted.size(); ++index) {
        const plan::Allocation& allocation = replay.predicted[index].allocation;
        const auto measured = std::ranges::find(experiment.measurements, allocation,
                                                &plan::Measurement::allocation);
        std::string nodes;
        for (const plan::Node node : allocation)
            nodes += (nodes.empty() ? "" : " ") + experiment.environment->nodes[node.value()].name;
        constexpr double usPerSecond = 1e6;
        const auto number = [](double value) { return QByteArray::number(value, 'f', 6); };
        text += QByteArray::fromStdString(nodes) + ','
            + number(lsmg.predicted[index].timeUs / usPerSecond) + ','
            + number(replay.predicted[index].timeUs / usPerSecond) + ',';
        text += measured == experiment.measurements.end() ? QByteArray(",0")
                                                          : number(measured->medianSeconds()) + ','
                + QByteArray::number(static_cast<qulonglong>(measured->seconds.size()));
        text += '\n';
    }
    return text;
}

int runtime(const ExperimentFiles& files)
{
    const Result<Experiment> experiment = evaluation::readExperiment(files);
    if (!experiment)
        return fail(experiment.error().text());
    const Result<ModelResult> result = evaluation::predict(files, *experiment, Model::Replay);
    if (!result)
        return fail(result.error().text());
    std::printf("%.6f\n", result->predicted.front().timeUs / 1e6);
    return 0;
}

int evaluate(const std::string& name, const ExperimentFiles& files, const QString& prefix)
{
    const Result<Experiment> experiment = evaluation::readExperiment(files);
    if (!experiment)
        return fail(experiment.error().text());
    std::vector<ModelResult> results;
    for (const Model model : {Model::Lsmg, Model::Replay}) {
        Result<ModelResult> result = evaluation::predict(files, *experiment, model);
        if (!result)
            return fail(result.error().text());
        printRow(name, model, *experiment, result->evaluation);
        const QString modelText = QString::fromLatin1(evaluation::modelName(model));
        const QString chart = prefix + QLatin1Char('-') + modelText + QStringLiteral(".svg");
        if (!writeChart(*experiment, *result,
                        QString::fromStdString(name) + QStringLiteral(", ") + modelText, chart))
            return fail("cannot write " + chart.toStdString());
        results.push_back(std::move(*result));
    }
    if (!writeFile(prefix + QStringLiteral(".csv"), table(*experiment, results[0], results[1])))
        return fail("cannot write " + prefix.toStdString() + ".csv");
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words == std::vector<std::string>{"--head"}) {
        std::puts("experiment,model,allocations,runs,failed,a,a_low,a_high,spread,random_pick,"
                  "mean_absolute_error,rank_correlation");
        return 0;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QLocale::setDefault(QLocale::C);
    QTranslator plurals;
    if (plurals.load(QStringLiteral("tasuki_en"), QStringLiteral(":/translations")))
        QApplication::installTranslator(&plurals);
    if (words.size() == 3 && words[0] == "--runtime")
        return runtime({.trace = words[1], .environment = words[2], .measurements = {}});
    if (words.size() != 5) {
        std::fputs("usage: evaluation NAME TRACE ENVIRONMENT MEASUREMENTS PREFIX\n", stderr);
        return exitWrongUsage;
    }
    return evaluate(words[0],
                    {.trace = words[1], .environment = words[2], .measurements = words[3]},
                    QString::fromStdString(words[4]));
}
