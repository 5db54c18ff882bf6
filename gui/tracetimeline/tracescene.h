// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/lanescene.h"
#include "tracebricks.h"
#include "tracelegend.h"
#include "tracelines.h"
#include "tracepalette.h"
#include "traceselection.h"
#include "tracetitle.h"

#include <QCoreApplication>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace tasuki {

/// What the tasks of an MPI program did or would do, one row a task, with messages as arrows between
/// rows, a title above and a legend below.
class TraceScene : public LaneScene {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TraceScene)

public:
    TraceScene();

    /// @param store  null: nothing to show
    void setStore(std::shared_ptr<const TraceStore> store);
    /// @param notes  [task], for instance the name of its node
    void setRowNotes(const QStringList& notes);
    void setTitle(const QString& title) { m_title.setText(title); }
    /// @param text  said in the middle when there is nothing to show
    void setEmptyText(const QString& text) { m_emptyText = text; }
    void setStyle(const QPalette& palette, const QFont& font) override;
    void setMessagesVisible(bool visible);
    void setCriticalPathVisible(bool visible);
    void setLegendVisible(bool visible);
    /// Lets the view reach farther than the timeline, for one beside it that ends later.
    void setContentEnd(std::optional<Nanoseconds> end);
    /// The end of a timeline beside it; marked, and the difference is told.
    void setReferenceEnd(std::optional<double> us);

    [[nodiscard]] const std::shared_ptr<const TraceStore>& store() const { return m_store; }
    [[nodiscard]] const TracePalette& palette() const { return m_palette; }
    [[nodiscard]] bool showsMessages() const { return m_withMessages; }
    [[nodiscard]] bool showsCriticalPath() const { return m_withPath; }
    /// Where the bar of a span is; at least a pixel wide.
    [[nodiscard]] QRectF barOf(std::uint32_t span) const;
    /// The lines between rows, relative to the top left of rowsRect(). Valid while the scene stays
    /// as it is. Precondition: not empty.
    [[nodiscard]] TraceLines lines() const;
    /// @return what stands at the right of the title: how many messages there are, and the end
    [[nodiscard]] QString status() const;

    [[nodiscard]] TraceItem itemAt(const QPoint& position) const;
    [[nodiscard]] QString describe(const QPoint& position) const override;
    /// @return the same of an item, as lines of plain text
    [[nodiscard]] QStringList linesOf(const TraceItem& item) const;

    /// @param item  of this timeline
    void select(const TraceItem& item) { m_selection.set(item); }
    void selectAt(const QPoint& position) override { select(itemAt(position)); }
    bool selectBeside(Side side) override;
    void selectNothing() override { select({}); }
    /// Selects a message of the selected call, or who receives the selected message.
    /// @return whether there is one
    bool selectAlongMessage();
    [[nodiscard]] bool hasSelection() const override { return !m_selection.isNothing(); }
    [[nodiscard]] const TraceItem& selected() const { return m_selection.item(); }
    [[nodiscard]] std::optional<std::uint32_t> selectedTask() const;
    [[nodiscard]] std::optional<LanePlace> selectedPlace() const override;
    [[nodiscard]] QString selectedText() const override;
    /// @return begin and end of an item
    [[nodiscard]] TimeWindow timeOf(const TraceItem& item) const;

private:
    [[nodiscard]] std::size_t laneCount() const override { return m_store ? m_store->tasks() : 0; }
    [[nodiscard]] const TimelinePalette& colours() const override { return m_palette.base; }
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] int titleHeight() const override { return TraceTitle::height(font()); }
    [[nodiscard]] int legendHeight() const override;
    [[nodiscard]] int labelWidth() const override;
    void paintLabels(QPainter& painter, const QRect& rect) const override;
    void paintRows(QImage& image) override;
    void paintRowShapes(QPainter& painter) override;
    void paintOverRows(QPainter& painter) const override;
    void paintAround(QPainter& painter) const override;
    void refreshContent();
    bool take(const TraceItem& item);
    [[nodiscard]] QString noteOf(trace::Task task) const;
    [[nodiscard]] QStringList describeRow(std::uint32_t task, const QPoint& position) const;
    [[nodiscard]] std::optional<std::uint32_t> spanAt(std::uint32_t task,
                                                      const QPoint& position) const;
    [[nodiscard]] TraceBricks bricks(int columns, double ratio) const;
    void paintOnRows(QPainter& painter, const TraceBricks& bricks, double ratio) const;

    std::shared_ptr<const TraceStore> m_store;
    QStringList m_notes;
    QString m_emptyText;
    QPalette m_widgetPalette;
    TracePalette m_palette;
    bool m_withMessages = true, m_withPath = false, m_withLegend = true;
    std::optional<Nanoseconds> m_contentEnd;
    TraceSelection m_selection;
    TraceTitle m_title;
    TraceLegend m_legend;
};

} // namespace tasuki
