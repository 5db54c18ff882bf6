// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lanearea.h"
#include "timelinescene.h"

namespace tasuki {

/// The attempts of a run: one row a slot. Follows what happens now with L or Space, beside the keys of
/// all timelines; what is shown large is activated, too.
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
    void setTaskText(BarTexts::TaskText text);
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

    [[nodiscard]] bool isFollowing() const { return view().follows(); }
    /// For tests and for those who place other things beside it.
    [[nodiscard]] const TimelineScene& scene() const { return m_scene; }

    [[nodiscard]] QSize sizeHint() const override { return {960, 420}; }

public Q_SLOTS:
    void follow();
    /// Times since the start of the run, or of the day.
    void setElapsedTime(bool elapsed);

Q_SIGNALS:
    /// The user has selected an attempt; none: nothing any more.
    void attemptSelected(std::optional<tasuki::AttemptKey> attempt);
    /// Double click or Return.
    void attemptActivated(tasuki::AttemptKey attempt);
    void followingChanged(bool following);

private:
    void retranslate() override;
    [[nodiscard]] QString helpText() const override;
    void tellSelected() override;
    void activated() override;
    bool takeKey(int key) override;
    void showMode();

    TimelineScene m_scene;
    QToolButton& m_liveButton;
    bool m_wasFollowing = true;
};

} // namespace tasuki
