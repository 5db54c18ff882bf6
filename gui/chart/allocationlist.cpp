// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationlist.h"

#include "domain/csvfield.h"

#include <QFont>
#include <QLocale>

#include <algorithm>
#include <map>
#include <utility>

namespace tasuki {

namespace {

QString decimal(double value, int decimals) { return QString::number(value, 'f', decimals); }

} // namespace

void AllocationList::setResults(AllocationResults results)
{
    m_summary = summaryOf(results);
    m_times = TimeText(plan::TimeScale(m_summary.bestUs, m_summary.worstUs));
    std::vector<AllocationResult>& listed = results.listed;
    // A search tells the best first.
    if (!std::is_sorted(listed.begin(), listed.end(), isBetter))
        std::sort(listed.begin(), listed.end(), isBetter);
    std::vector<Row> next;
    next.reserve(listed.size());
    for (AllocationResult& result : listed)
        next.push_back({.result = std::move(result), .place = next.size() + 1});
    if (!next.empty() && !m_summary.isUnfinished())
        next.back().place = m_summary.tried;
    const bool otherProgram = m_selected && !next.empty()
        && next.front().result.allocation.size() != m_selected->size();
    bringInOrder(next);
    replaceRows(std::move(next));
    if (otherProgram)
        m_selected.reset();
    findRowsOfNote();
    Q_EMIT renewed();
    if (otherProgram)
        Q_EMIT selectedChanged();
}

void AllocationList::setOrder(AllocationOrder order)
{
    if (order == m_order)
        return;
    m_order = order;
    std::vector<Row> next = m_rows;
    bringInOrder(next);
    replaceRows(std::move(next));
    findRowsOfNote();
    Q_EMIT renewed();
}

bool AllocationList::comesBefore(const Row& a, const Row& b) const
{
    if (m_order == AllocationOrder::Nodes)
        return a.result.allocation < b.result.allocation;
    if (m_order == AllocationOrder::Measured) {
        const auto& [first, second] = std::pair(a.result.measuredUs, b.result.measuredUs);
        if (first.has_value() != second.has_value())
            return first.has_value();
        if (first && *first != *second)
            return *first < *second;
    }
    return isBetter(a.result, b.result);
}

void AllocationList::bringInOrder(std::vector<Row>& rows) const
{
    const auto before = [this](const Row& a, const Row& b) { return comesBefore(a, b); };
    if (!std::is_sorted(rows.begin(), rows.end(), before))
        std::sort(rows.begin(), rows.end(), before);
}

bool AllocationList::isSameOrder(const std::vector<Row>& next) const
{
    return std::equal(
        m_rows.begin(), m_rows.end(), next.begin(), next.end(),
        [](const Row& a, const Row& b) { return a.result.allocation == b.result.allocation; });
}

void AllocationList::replaceRows(std::vector<Row> next)
{
    if (isSameOrder(next)) {
        m_rows = std::move(next);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(count() - 1, columns - 1));
        return;
    }
    const std::size_t before = m_rows.size();
    const std::size_t after = next.size();
    // Rows come and go at the end; what moves between is a new layout.
    if (after > before) {
        beginInsertRows({}, static_cast<int>(before), static_cast<int>(after) - 1);
        m_rows.insert(m_rows.end(), next.begin() + static_cast<std::ptrdiff_t>(before), next.end());
        endInsertRows();
    }
    if (after > 0 && before > 0) {
        Q_EMIT layoutAboutToBeChanged();
        const QModelIndexList from = persistentIndexList();
        std::map<int, std::optional<plan::Allocation>> wanted;
        for (const QModelIndex& index : from)
            wanted.try_emplace(index.row(), at(index.row()).allocation);
        // While rows are too many, those that go fill the end.
        if (before > after)
            next.insert(next.end(), m_rows.begin() + static_cast<std::ptrdiff_t>(after),
                        m_rows.end());
        m_rows = std::move(next);
        std::map<int, int> newRow;
        for (const auto& [row, allocation] : wanted)
            newRow[row] = rowOf(*allocation);
        QModelIndexList to;
        for (const QModelIndex& old : from) {
            const int row = newRow[old.row()];
            const bool stays = row >= 0 && static_cast<std::size_t>(row) < after;
            to << (stays ? index(row, old.column()) : QModelIndex());
        }
        changePersistentIndexList(from, to);
        Q_EMIT layoutChanged();
    }
    if (after < before) {
        beginRemoveRows({}, static_cast<int>(after), static_cast<int>(before) - 1);
        m_rows.resize(after);
        endRemoveRows();
    }
}

void AllocationList::findRowsOfNote()
{
    m_best = m_worst = m_bestMeasured = m_selectedRow = -1;
    for (int row = 0; row < count(); ++row) {
        const AllocationResult& result = at(row);
        if (m_best < 0 || isBetter(result, at(m_best)))
            m_best = row;
        if (!m_summary.isUnfinished() && (m_worst < 0 || isBetter(at(m_worst), result)))
            m_worst = row;
        if (result.measuredUs
            && (m_bestMeasured < 0 || *result.measuredUs < *at(m_bestMeasured).measuredUs))
            m_bestMeasured = row;
    }
    if (m_selected)
        m_selectedRow = rowOf(*m_selected);
}

double AllocationList::ratioAt(int row) const
{
    return m_summary.bestUs > 0.0 ? at(row).predictedUs / m_summary.bestUs : 1.0;
}

int AllocationList::rowOf(const plan::Allocation& allocation) const
{
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
        return row.result.allocation == allocation;
    });
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

void AllocationList::select(std::optional<plan::Allocation> allocation)
{
    if (allocation == m_selected)
        return;
    m_selected = std::move(allocation);
    m_selectedRow = m_selected ? rowOf(*m_selected) : -1;
    Q_EMIT selectedChanged();
}

QByteArray AllocationList::csv() const
{
    constexpr double usPerSecond = 1e6;
    constexpr int timeDecimals = 9;
    constexpr int ratioDecimals = 6;
    QString text = QStringLiteral("place,predicted_s,over_best,measured_s,prediction_error");
    for (qsizetype task = 0; !m_rows.empty() && task < at(0).nodes.size(); ++task)
        text += QStringLiteral(",task%1").arg(task);
    text += QStringLiteral("\r\n");
    for (int row = 0; row < count(); ++row) {
        const AllocationResult& result = at(row);
        const auto error = predictionError(result);
        QStringList fields{
            QString::number(placeAt(row)), decimal(result.predictedUs / usPerSecond, timeDecimals),
            decimal(ratioAt(row), ratioDecimals),
            result.measuredUs ? decimal(*result.measuredUs / usPerSecond, timeDecimals) : QString(),
            error ? decimal(*error, ratioDecimals) : QString()};
        for (const QString& node : result.nodes)
            fields << QString::fromStdString(csvField(node.toStdString()));
        text += fields.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    }
    return text.toUtf8();
}

int AllocationList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

int AllocationList::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString AllocationList::text(const Row& row, Column column) const
{
    const QLocale locale;
    switch (column) {
    case Column::Place: return locale.toString(row.place);
    case Column::Nodes:
        return row.result.nodes.isEmpty() ? row.result.label
                                          : row.result.nodes.join(QStringLiteral(", "));
    case Column::Predicted: return m_times.text(row.result.predictedUs);
    case Column::Measured:
        return row.result.measuredUs ? m_times.text(*row.result.measuredUs) : QString();
    case Column::Ratio:
        return locale.toString(
            m_summary.bestUs > 0.0 ? row.result.predictedUs / m_summary.bestUs : 1.0, 'f', 3);
    case Column::Error: break;
    }
    const auto error = predictionError(row.result);
    return error ? signedPercentText(*error) : QString();
}

QVariant AllocationList::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole: return text(rowAt(index.row()), column);
    case Qt::ToolTipRole:
        return column == Column::Nodes ? text(rowAt(index.row()), column) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((column == Column::Nodes ? Qt::AlignLeft : Qt::AlignRight)
                                   | Qt::AlignVCenter);
    case Qt::FontRole:
        if (index.row() == m_best) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    default: return {};
    }
}

QVariant AllocationList::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::ToolTipRole) {
        switch (column) {
        case Column::Place: return tr("Place by predicted time, from 1, the best");
        case Column::Nodes: return tr("On which node each task runs, in the order of the tasks");
        case Column::Ratio: return tr("Predicted time over the best predicted time");
        case Column::Error: return tr("(Predicted − measured) / measured");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Place: return tr("Place");
    case Column::Nodes: return tr("Nodes of the tasks");
    case Column::Predicted: return tr("Predicted");
    case Column::Measured: return tr("Measured");
    case Column::Ratio: return tr("Time / best");
    case Column::Error: break;
    }
    return tr("Prediction error");
}

} // namespace tasuki
