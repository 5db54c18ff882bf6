// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurements.h"

#include "domain/diagnosticsink.h"
#include "domain/nearest.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace tasuki::plan {

namespace {

struct CsvField {
    std::string text;
    std::uint64_t column = 1; ///< of its first byte
};

/// One line of a CSV file. @return none: a quote is not closed
std::optional<std::vector<CsvField>> fieldsOf(std::string_view line)
{
    std::vector<CsvField> fields(1);
    bool quoted = false;
    for (std::size_t place = 0; place < line.size(); ++place) {
        const char letter = line[place];
        if (quoted && letter == '"' && place + 1 < line.size() && line[place + 1] == '"') {
            fields.back().text += letter;
            ++place;
        } else if (letter == '"') {
            quoted = !quoted;
        } else if (letter == ',' && !quoted) {
            fields.push_back({.text = {}, .column = place + 2});
        } else {
            fields.back().text += letter;
        }
    }
    if (quoted)
        return std::nullopt;
    return fields;
}

std::optional<double> positiveNumber(const std::string& text)
{
    double number = 0.0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end || !std::isfinite(number) || number <= 0.0)
        return std::nullopt;
    return number;
}

class MeasurementReader {
public:
    MeasurementReader(const std::string& file, const Environment& environment, std::uint32_t tasks)
        : m_sink(file), m_tasks(tasks)
    {
        for (std::uint32_t node = 0; node < environment.nodes.size(); ++node) {
            m_nodes.emplace(environment.nodes[node].name, Node(node));
            m_names.push_back(environment.nodes[node].name);
        }
    }

    void take(std::string_view line)
    {
        ++m_line;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty() || m_hopeless)
            return;
        const auto fields = fieldsOf(line);
        if (!fields)
            m_sink.error(m_line, 1, "a quote is not closed", "close it with \"");
        else if (m_columns == 0)
            takeHeader(*fields);
        else
            takeRun(*fields);
    }

    MeasurementReading finish()
    {
        if (m_columns == 0 && !m_hopeless)
            m_sink.error(0, 0, "no line names the columns", "begin with " + wantedHeader());
        else if (m_reading.measurements.empty() && m_sink.count() == 0)
            m_sink.error(0, 0, "no good run is in it", "measure some");
        m_reading.diagnostics = m_sink.take();
        return std::move(m_reading);
    }

private:
    [[nodiscard]] std::string wantedHeader() const
    {
        std::string header;
        for (std::uint32_t task = 0; task < m_tasks; ++task)
            header += "task" + std::to_string(task) + ',';
        return header + "seconds";
    }

    void takeHeader(const std::vector<CsvField>& fields)
    {
        m_columns = fields.size();
        const auto columnOf = [&fields](const std::string& name) -> std::optional<std::size_t> {
            const auto place = std::ranges::find(fields, name, &CsvField::text);
            if (place == fields.end())
                return std::nullopt;
            return static_cast<std::size_t>(place - fields.begin());
        };
        for (std::uint32_t task = 0; task < m_tasks; ++task) {
            const std::string name = "task" + std::to_string(task);
            const auto column = columnOf(name);
            if (!column)
                return refuseHeader("no column " + name);
            m_taskColumns.push_back(*column);
        }
        const std::string oneMore = "task" + std::to_string(m_tasks);
        if (columnOf(oneMore))
            return refuseHeader("a column " + oneMore + ", but the program has "
                                + std::to_string(m_tasks) + " tasks");
        const auto seconds = columnOf("seconds");
        if (!seconds)
            return refuseHeader("no column seconds");
        m_secondsColumn = *seconds;
        m_statusColumn = columnOf("status");
    }

    void refuseHeader(std::string message)
    {
        m_hopeless = true;
        m_sink.error(m_line, 1, std::move(message), "name the columns " + wantedHeader());
    }

    void takeRun(const std::vector<CsvField>& fields)
    {
        if (fields.size() != m_columns) {
            m_sink.error(m_line, 1, std::to_string(fields.size()) + " fields",
                         "give each of the " + std::to_string(m_columns) + " columns one");
            return;
        }
        if (m_statusColumn && fields[*m_statusColumn].text != "ok") {
            ++m_reading.failedRuns;
            return;
        }
        Allocation allocation;
        for (const std::size_t column : m_taskColumns) {
            const auto node = m_nodes.find(fields[column].text);
            if (node == m_nodes.end())
                return refuseNode(fields[column]);
            allocation.push_back(node->second);
        }
        const CsvField& field = fields[m_secondsColumn];
        const auto seconds = positiveNumber(field.text);
        if (!seconds) {
            m_sink.error(m_line, field.column, "'" + field.text + "' is no runtime",
                         "expected seconds, more than 0");
            return;
        }
        const auto [place, isNew] = m_places.emplace(allocation, m_reading.measurements.size());
        if (isNew)
            m_reading.measurements.push_back({.allocation = std::move(allocation), .seconds = {}});
        m_reading.measurements[place->second].seconds.push_back(*seconds);
    }

    void refuseNode(const CsvField& field)
    {
        m_sink.error(m_line, field.column, "the environment has no node '" + field.text + "'",
                     m_names.empty()
                         ? std::string("add it")
                         : "is it " + std::string(nearestName(field.text, m_names)) + "?");
    }

    DiagnosticSink m_sink;
    std::uint32_t m_tasks;
    std::map<std::string, Node> m_nodes;
    std::vector<std::string> m_names;
    std::uint64_t m_line = 0;
    std::size_t m_columns = 0;
    bool m_hopeless = false;
    std::vector<std::size_t> m_taskColumns;
    std::size_t m_secondsColumn = 0;
    std::optional<std::size_t> m_statusColumn;
    std::map<Allocation, std::size_t> m_places; ///< in the reading
    MeasurementReading m_reading;
};

} // namespace

double Measurement::medianSeconds() const
{
    assert(!seconds.empty());
    std::vector<double> sorted = seconds;
    std::ranges::sort(sorted);
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

MeasurementReading readMeasurements(std::string_view text, const std::string& file,
                                    const Environment& environment, std::uint32_t tasks)
{
    MeasurementReader reader(file, environment, tasks);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.take(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.finish();
}

} // namespace tasuki::plan
