// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemtreemodel.h"

#include "systemtreetext.h"

#include <utility>

namespace tasuki {

namespace {

const SystemNode& nodeOf(const QModelIndex& index)
{
    return *static_cast<const SystemNode*>(index.constInternalPointer());
}

} // namespace

SystemTreeModel::SystemTreeModel(const Session& session, const ActivityMeter& meter,
                                 QObject* parent)
    : QAbstractItemModel(parent), m_session(session), m_meter(meter)
{
    m_timer.setInterval(500);
    connect(&m_timer, &QTimer::timeout, this, &SystemTreeModel::refresh);
    connect(&session, &Session::changed, this, [this](const ChangeSet& changes) {
        if (changes.processors || changes.run)
            refresh();
    });
    connect(&session, &Session::aboutToReset, this, [this] { beginResetModel(); });
    connect(&session, &Session::wasReset, this, [this] {
        m_tree.clear();
        endResetModel();
    });
    m_timer.start();
}

SystemTreeModel::~SystemTreeModel() = default;

void SystemTreeModel::refresh()
{
    const SystemState& system = m_session.state().system();
    const bool same = m_tree.fits(system);
    if (same && !system.layout())
        return;
    const auto& status = m_session.agentStatus();
    const std::span<const RankProgram> programs = status ? std::span(status->programs)
                                                         : std::span<const RankProgram>();
    const auto renew = [this, programs] {
        return m_tree.renew(m_session.state(), m_meter, m_session.runNow(), programs);
    };
    if (!programs.empty() && !std::exchange(m_hasPrograms, true))
        Q_EMIT programsAppeared();
    if (!same) {
        beginResetModel();
        m_tree.clear();
        if (system.layout()) {
            m_tree.build(system);
            renew();
        }
        endResetModel();
        return;
    }
    for (const SystemTree::Stretch& stretch : renew()) {
        const QModelIndex part = indexOf(stretch.parent, 0);
        Q_EMIT dataChanged(index(stretch.first, 0, part), index(stretch.last, columns - 1, part));
    }
}

QModelIndex SystemTreeModel::indexOf(const SystemNode* node, int column) const
{
    return node ? createIndex(node->row, column, static_cast<const void*>(node)) : QModelIndex();
}

QModelIndex SystemTreeModel::indexOf(ProcessorId processor) const
{
    return indexOf(m_tree.find(processor), 0);
}

QModelIndex SystemTreeModel::indexOf(Rank rank) const
{
    if (rank.value() < 0)
        return {};
    const SystemSeat* seat = m_session.state().system().find(
        SeatId(static_cast<std::uint32_t>(rank.value())));
    return seat && seat->info.kind == SeatKind::Active && seat->holder ? indexOf(*seat->holder)
                                                                       : QModelIndex();
}

QModelIndex SystemTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return indexOf(m_tree.root(), column);
    return indexOf(nodeOf(parent).children[static_cast<std::size_t>(row)].get(), column);
}

QModelIndex SystemTreeModel::parent(const QModelIndex& index) const
{
    return index.isValid() ? indexOf(nodeOf(index).parent, 0) : QModelIndex();
}

int SystemTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return m_tree.root() ? 1 : 0;
    return parent.column() == 0 ? static_cast<int>(nodeOf(parent).children.size()) : 0;
}

int SystemTreeModel::columnCount(const QModelIndex& /*parent*/) const { return columns; }

QVariant SystemTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0
        || section >= columns)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Name: return tr("Processor");
    case Column::Seat: return tr("Seat");
    case Column::State: return tr("State");
    case Column::Slots: return tr("Slots");
    case Column::Running: return tr("Running");
    case Column::Done: return tr("Done");
    case Column::Busy: return tr("Busy");
    case Column::Program: return tr("Program, messages");
    }
    return {};
}

bool SystemTreeModel::isRank(std::optional<SeatId> seat) const
{
    const SystemSeat* const found = seat ? m_session.state().system().find(*seat) : nullptr;
    return found != nullptr && found->info.kind == SeatKind::Active;
}

QVariant SystemTreeModel::number(const SystemFigures& figures, Column column) const
{
    switch (column) {
    case Column::Slots: return figures.slots;
    case Column::Running: return figures.running;
    case Column::Done: return quint64{figures.done};
    case Column::Busy: return figures.busy;
    default: return {};
    }
}

QVariant SystemTreeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SystemNode& node = nodeOf(index);
    const SystemFigures& figures = node.figures;
    const SystemTreeText text(node, m_session);
    const bool processor = node.level == Level::Processor;
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case Column::Name: return text.name();
        case Column::Seat: return text.seat();
        case Column::State: return text.state();
        case Column::Slots: return figures.slots;
        case Column::Running: return figures.running;
        case Column::Done: return text.done();
        case Column::Busy: return text.busy();
        case Column::Program: return text.program();
        }
        return {};
    case Qt::ToolTipRole: return text.lines().join(QLatin1Char('\n'));
    case Qt::AccessibleTextRole:
        return column == Column::Name ? text.lines().join(QStringLiteral(", ")) : QVariant();
    case ConditionRole: return static_cast<int>(figures.condition);
    case LevelRole: return static_cast<int>(node.level);
    case NumberOfRole: return node.number;
    case ProcessorRole: return processor ? QVariant(node.number) : QVariant();
    case RankRole:
        return processor && isRank(figures.seat) ? QVariant(static_cast<int>(figures.seat->value()))
                                                 : QVariant();
    case BadgesRole: return QVariant::fromValue(text.badges());
    case BusyShareRole: return figures.slots != 0 ? QVariant(figures.busy) : QVariant();
    case NumberRole: return number(figures, column);
    default: return {};
    }
}

} // namespace tasuki
