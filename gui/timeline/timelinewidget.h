// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lanearea.h"
#include "timelinescene.h"

#include "domain/result.h"

class QToolButton;

namespace tasuki {

/// The timeline: one row a slot, time to the right.
///
///   wheel                scrolls the rows            Left, Right   pan
///   Ctrl+wheel           zooms at the pointer        +, -          zoom about the middle
///   Shift+wheel, drag    pans                        Up, Down      select in the lane above, below
///   click                selects an attempt          Ctrl+Left, Ctrl+Right   its neighbours in time
///   double click         activates it                Return        activates what is selected
///                                                    Home, End     first and last of the run
///                                                    F             everything
///                                                    L, Space      follows what happens now
///
/// It begins with everything in sight, which moves on as the run does, until the user pans or zooms.
/// GUI thread.
class TimelineWidget : public LaneArea {
    Q_OBJECT
    Q_PROPERTY(bool following READ isFollowing NOTIFY followingChanged)

public:
    explicit TimelineWidget(QWidget* parent = nullptr);

    /// @param store  must outlive the widget or be replaced; null: nothing to show
    void setStore(const TimelineStore* store);
    /// @param text  how a task is called: the start of its command. Asked once for what comes into
    ///              sight; set it again when tasks have got other commands
    void setTaskText(TimelineScene::TaskText text);
    /// The store has changed: repaint. Not more often than frames are wanted.
    void refresh();
    /// What time it is for the run. Call at frame rate while it is live.
    /// @param live  time goes on; false when what is shown is from a file or an agent that is gone:
    ///              running attempts then end at `now`
    void setNow(WallTime now, bool live);

    /// Highlights the attempts of a task; none: nothing.
    void setSelected(std::optional<TaskId> task);
    /// The same, with one attempt above the others.
    void setSelectedAttempt(AttemptKey attempt);
    /// Moves so that the latest attempt of a task is in sight. Nothing happens when it has none.
    void reveal(TaskId task);

    /// Moves so that a moment is in the middle, points it out until the user clicks or looks at
    /// something else, and scrolls to a rank if it has rows.
    void showMoment(std::optional<Rank> rank, WallTime moment);

    [[nodiscard]] bool isFollowing() const { return m_scene.view().follows(); }
    [[nodiscard]] bool showsElapsedTime() const { return m_scene.showsElapsedTime(); }
    /// For tests and for those who place other things beside it.
    [[nodiscard]] const TimelineScene& scene() const { return m_scene; }

    /// Writes what is in sight to a file: SVG when the name ends so, else PNG.
    [[nodiscard]] Result<void> exportImage(const QString& path);

    [[nodiscard]] QSize sizeHint() const override { return {960, 420}; }

public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void showAll();
    void follow();
    /// Times since the start of the run, or of the day.
    void setElapsedTime(bool elapsed);

Q_SIGNALS:
    void attemptSelected(tasuki::AttemptKey attempt);
    /// Double click or Return.
    void attemptActivated(tasuki::AttemptKey attempt);
    void followingChanged(bool following);

protected:
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QString describe(const QPoint& position) const override
    {
        return m_scene.describe(position);
    }
    [[nodiscard]] bool canBeDragged() const override { return true; }
    void panBy(int pixels) override;
    void clicked(const QPoint& position) override;
    void restyle() override;
    void placeParts() override;
    void viewChanged();
    void zoomAtMiddle(double factor);
    bool handleKey(const QKeyEvent& event);
    void choose(const PlacedAttempt& placed);
    void chooseInLane(int step);
    void chooseInTime(int step);
    void bringIntoSight(const PlacedAttempt& placed);

    TimelineScene m_scene;
    QToolButton* m_allButton;
    QToolButton* m_liveButton;
    bool m_wasFollowing = true;
};

} // namespace tasuki
