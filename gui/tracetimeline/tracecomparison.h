// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracetimelinewidget.h"

#include "domain/result.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <memory>

namespace tasuki {

/// Two timelines one above the other that show the same part of time: what is to the left is
/// earlier, in both. For instance a program as it was traced above what it would do elsewhere.
/// A call or message that is selected in one is selected in the other too. GUI thread.
class TraceComparison : public QWidget {
    Q_OBJECT

public:
    struct Part {
        QString caption;
        std::shared_ptr<const plan::Timeline> timeline; ///< null: nothing
        std::shared_ptr<const trace::Trace> trace;
        QStringList rowLabels; ///< [task], as TraceTimelineWidget::setRowLabels()
    };

    explicit TraceComparison(QWidget* parent = nullptr);

    void setUpper(const Part& part);
    /// Its end is compared with that of the upper one.
    void setLower(const Part& part);
    [[nodiscard]] TraceTimelineWidget& upper() { return *m_upper; }
    [[nodiscard]] TraceTimelineWidget& lower() { return *m_lower; }

    /// Paints both as shapes.
    /// @param size  in the painter's units, from its zero
    void renderTo(QPainter& painter, QSize size) const;
    /// Writes both to a file: SVG or PDF when the name ends so, else PNG.
    [[nodiscard]] Result<void> exportImage(const QString& path) const;

public Q_SLOTS:
    void setCriticalPathVisible(bool visible);
    void setMessagesVisible(bool visible);
    /// Shows the whole time of both.
    void fit();

Q_SIGNALS:
    /// The user has selected something. @param inUpper  where; the other one selects it too
    void selected(bool inUpper, const tasuki::TraceItem& item);

protected:
    void changeEvent(QEvent* event) override;

private:
    void couple(TraceTimelineWidget* from, TraceTimelineWidget* to);
    static void setPart(TraceTimelineWidget& widget, const Part& part);
    void alignTimes();
    void alignRows();
    void retranslate();

    TraceTimelineWidget* m_upper;
    TraceTimelineWidget* m_lower;
    bool m_aligning = false;
};

} // namespace tasuki
