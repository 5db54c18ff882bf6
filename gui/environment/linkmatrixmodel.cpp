// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkmatrixmodel.h"

#include <algorithm>

namespace tasuki {

namespace {

std::uint32_t nodeOf(int section) { return static_cast<std::uint32_t>(section); }

} // namespace

LinkMatrixModel::LinkMatrixModel(EnvironmentDocument& document, QObject* parent)
    : CellTableModel(parent), m_document(document)
{
    followRows(document);
    connect(&document, &EnvironmentDocument::linksEdited, this, &LinkMatrixModel::renew);
    connect(&document, &EnvironmentDocument::generalEdited, this, &LinkMatrixModel::renew);
    connect(&document, &EnvironmentDocument::reset, this, [this] { m_surveyed = false; });
    connect(&document, &EnvironmentDocument::nodesEdited, this, [this](int first, int last) {
        Q_EMIT headerDataChanged(Qt::Horizontal, first, last);
        Q_EMIT headerDataChanged(Qt::Vertical, first, last);
    });
}

void LinkMatrixModel::setFigure(LinkFigure figure)
{
    if (m_figure == figure)
        return;
    m_figure = figure;
    renew();
}

void LinkMatrixModel::renew()
{
    m_surveyed = false;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int LinkMatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_document.nodeCount());
}

int LinkMatrixModel::columnCount(const QModelIndex& parent) const { return rowCount(parent); }

const plan::LinkSpec& LinkMatrixModel::link(const QModelIndex& index) const
{
    return m_document.environment().link(plan::Node(nodeOf(index.row())),
                                         plan::Node(nodeOf(index.column())));
}

double LinkMatrixModel::value(const plan::LinkSpec& link) const
{
    switch (m_figure) {
    case LinkFigure::A0: return link.a0Us;
    case LinkFigure::A1: return link.a1UsPerByte;
    case LinkFigure::Burst: return link.burstBytes;
    }
    return 0.0;
}

bool LinkMatrixModel::isOwn(const QModelIndex& index) const
{
    const plan::Environment& environment = m_document.environment();
    return environment
        .links[environment.indexOf(plan::Node(nodeOf(index.row())),
                                   plan::Node(nodeOf(index.column())))]
        .has_value();
}

void LinkMatrixModel::survey() const
{
    if (m_surveyed)
        return;
    const plan::Environment& environment = m_document.environment();
    m_own = 0;
    m_largest = std::max(value(environment.linkDefault), value(environment.linkInside));
    for (const auto& link : environment.links) {
        if (!link)
            continue;
        ++m_own;
        m_largest = std::max(m_largest, value(*link));
    }
    m_surveyed = true;
}

std::size_t LinkMatrixModel::ownLinks() const
{
    survey();
    return m_own;
}

QVariant LinkMatrixModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole: return shownText(link(index), m_figure);
    case Qt::EditRole: return editText(link(index), m_figure);
    case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: return description(index);
    case DimRole: return !isOwn(index) || isUnset(link(index), m_figure);
    case OwnRole: return isOwn(index);
    case HintRole:
        return tr("empty: %1")
            .arg(shownText(index.row() == index.column() ? m_document.environment().linkInside
                                                         : m_document.environment().linkDefault,
                           m_figure));
    case ShareRole: survey(); return m_largest > 0.0 ? value(link(index)) / m_largest : 0.0;
    default: return {};
    }
}

QVariant LinkMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const auto& nodes = m_document.environment().nodes;
    if (static_cast<std::size_t>(section) >= nodes.size())
        return {};
    const QString name = QString::fromStdString(nodes[static_cast<std::size_t>(section)].name);
    if (role == Qt::DisplayRole)
        return name;
    if (role == Qt::ToolTipRole)
        return orientation == Qt::Vertical ? tr("from %1").arg(name) : tr("to %1").arg(name);
    return {};
}

QString LinkMatrixModel::problem(const QModelIndex& index, const QString& text) const
{
    return m_document.problem(
        LinkCell{nodeOf(index.row()), nodeOf(index.column()), m_figure, text});
}

std::optional<CellFault> LinkMatrixModel::setCells(const QList<Cell>& cells)
{
    QList<LinkCell> wanted;
    for (const Cell& cell : cells)
        wanted << LinkCell{nodeOf(cell.row), nodeOf(cell.column), m_figure, cell.text};
    return m_document.setCells(wanted, m_bothWays);
}

QString LinkMatrixModel::clearCells(const QModelIndexList& indexes)
{
    QList<NodePair> pairs;
    for (const QModelIndex& index : indexes)
        pairs << NodePair{nodeOf(index.row()), nodeOf(index.column())};
    m_document.clearLinks(pairs, m_bothWays);
    return {};
}

QString LinkMatrixModel::cellName(int row, int column) const
{
    return tr("From %1 to %2")
        .arg(headerData(row, Qt::Vertical, Qt::DisplayRole).toString(),
             headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
}

QString LinkMatrixModel::description(const QModelIndex& index) const
{
    const plan::LinkSpec& figures = link(index);
    const QString ends = index.row() == index.column()
        ? tr("Inside %1").arg(headerData(index.row(), Qt::Vertical, Qt::DisplayRole).toString())
        : cellName(index.row(), index.column());
    const QString source = isOwn(index) ? tr("its own")
        : index.row() == index.column() ? tr("as inside every node")
                                        : tr("the default");
    const QString burst = isUnset(figures, LinkFigure::Burst)
        ? tr("no burst")
        : tr("burst = %1 bytes").arg(shownText(figures, LinkFigure::Burst));
    return tr("%1: a0 = %2 µs, a1 = %3 µs/byte, %4 (%5)")
        .arg(ends, shownText(figures, LinkFigure::A0), shownText(figures, LinkFigure::A1), burst,
             source);
}

} // namespace tasuki
