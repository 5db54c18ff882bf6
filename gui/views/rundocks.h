// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMainWindow>
#include <QTimer>

#include <optional>

class QAction;
class QDockWidget;

namespace tasuki {

class AlarmPanel;
class DetailsPanel;
class EventPanel;
class FailoverPanel;
class Preferences;
class ProcessorPanel;
struct RunModels;

/// The docks around the middle of a run's page: processors, details, and one above the other events, failovers
/// and alarms. One of the latter three may have the middle's room. The preferences keep where docks are, and
/// how wide.
class RunDocks : public QMainWindow {
    Q_OBJECT

public:
    /// In the order of their shortcuts.
    enum class Dock : std::uint8_t { Processors, Details, Events, Failovers, Alarms };

    /// @param models, preferences  must outlive the widget
    /// @param middle  becomes the widget's
    RunDocks(RunModels& models, Preferences& preferences, QWidget& middle);

    /// Show and hide the docks; those that share a place come to the front.
    [[nodiscard]] QList<QAction*> dockActions() const { return m_actions; }
    void bringUp(Dock dock);
    /// @param dock  Events, Failovers or Alarms; none: the middle has its room
    void giveRoomTo(std::optional<Dock> dock);
    /// A topology has many columns, and nothing to do with the details of a task.
    /// @param away  false: they are shown if they were before
    void putDetailsAway(bool away);
    /// Puts docks where they are at first. Precondition: the middle has its room.
    void reset();
    /// What the preferences keep of widths, and of places: before and after the middle gets its room back.
    void keepWidths();
    void keepPlaces();

    [[nodiscard]] ProcessorPanel& processors() { return *m_processors; }
    [[nodiscard]] DetailsPanel& details() { return *m_details; }
    [[nodiscard]] EventPanel& events() { return *m_events; }
    [[nodiscard]] FailoverPanel& failovers() { return *m_failovers; }
    [[nodiscard]] AlarmPanel& alarms() { return *m_alarms; }

Q_SIGNALS:
    void said(const QString& text);
    /// The middle has its room back.
    void middleShown();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void make(const QString& name, const QString& title, const QString& icon, QWidget* content,
              Qt::DockWidgetArea area);
    void addAction(QDockWidget& dock, const QString& icon, QKeySequence keys);
    void restore();
    void restoreWidths();
    void giveRoomOfMiddle();
    void giveRoomToMiddle();
    void renewAlarmTitle();
    void widenProcessors();
    [[nodiscard]] int processorsWidth() const;
    [[nodiscard]] QDockWidget& at(Dock dock) const;

    RunModels& m_models;
    Preferences& m_preferences;
    ProcessorPanel* m_processors = nullptr;
    DetailsPanel* m_details = nullptr;
    EventPanel* m_events = nullptr;
    FailoverPanel* m_failovers = nullptr;
    AlarmPanel* m_alarms = nullptr;
    QList<QDockWidget*> m_docks; ///< by Dock
    QList<QAction*> m_actions;   ///< the same
    std::optional<Dock> m_below; ///< which has the middle's room
    QList<int> m_sideWidths; ///< of processors and details, before a dock took the middle's room
    QByteArray m_firstLayout;
    bool m_hidDetails = false; ///< putDetailsAway() did
    bool m_ownDocks = false;   ///< docks are where the user had them before
    bool m_wasShown = false;
    QTimer m_settling; ///< runs while a new window may still get its size
};

} // namespace tasuki
