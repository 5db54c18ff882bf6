// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "client/session.h"
#include "livetopology.h"

#include <optional>
#include <vector>

namespace tasuki {

/// A cell that an operator edits and that others have changed meanwhile.
struct TopologyConflict {
    TopologyPlace place;
    QString theirs; ///< exact texts
    QString mine;
    bool operator==(const TopologyConflict&) const = default;
};

/// The topology of a running system in an editor: what others make of it comes in at any time, and
/// edits go to the agent as one change, based on the revision that was seen. Edits stay when the
/// connection ends. GUI thread.
class RunningTopology : public QObject {
    Q_OBJECT

public:
    /// @param session  must outlive this object
    explicit RunningTopology(Session& session, QObject* parent = nullptr);

    [[nodiscard]] LiveTopology& document() { return m_document; }
    [[nodiscard]] const LiveTopology& document() const { return m_document; }
    [[nodiscard]] Session& session() const { return m_session; }
    /// None: the run has no failure hierarchy, or has not told of it yet.
    [[nodiscard]] std::optional<std::uint64_t> revision() const;
    /// Why there is nothing to edit, or what the run tells cannot be read, for people; empty: all is
    /// well.
    [[nodiscard]] const QString& problem() const { return m_problem; }

    /// Cells for which it is not decided what shall stand. Nothing is sent meanwhile.
    [[nodiscard]] const std::vector<TopologyConflict>& conflicts() const { return m_conflicts; }
    /// Mine stands, as an edit of theirs.
    void keepMine(const TopologyPlace& place);
    /// Theirs stands. A step of undo.
    void takeTheirs(const TopologyPlace& place);
    void takeAllTheirs();

    /// @return why apply() would do nothing, for people; empty: it sends
    [[nodiscard]] QString whyNot() const;
    /// Sends what is edited; applied() or refused() follows.
    void apply();
    /// Whether what was sent has not come to anything yet.
    [[nodiscard]] bool isSending() const { return m_sent.has_value(); }
    /// Why the system did not take the latest change; empty: it did, or something was edited since.
    [[nodiscard]] const QString& refusal() const { return m_refusal; }
    /// The cells that were sent then.
    [[nodiscard]] const std::vector<TopologyPlace>& refusedPlaces() const { return m_refused; }
    /// Back to how the system runs. A step of undo.
    void discard();

Q_SIGNALS:
    /// Anything of the above but the document.
    void changed();
    /// The system has taken a change of so many values.
    void applied(int count);
    void refused(const QString& reason);
    /// Others have changed the topology.
    /// @param taken  cells that show theirs now; others are among conflicts()
    /// @param kept   false: the subclusters are others, and edits could not be carried over
    void followed(const std::vector<tasuki::TopologyPlace>& taken, bool kept);

private:
    struct Seen {
        std::uint64_t revision = 0;
        std::string text;
        bool operator==(const Seen&) const = default;
    };
    struct Sent {
        config::Topology topology;
        std::uint64_t base = 0;
        int count = 0; ///< of values
        bool answered = false;
    };

    void look();
    void take(config::Topology theirs);
    void takeAnswer(std::uint64_t base, const Result<CommandAnswer>& answer);
    void endSending();
    void renewConflicts();
    void renewObjections();
    [[nodiscard]] std::vector<TopologyPlace> editedPlaces() const;

    Session& m_session;
    QUndoStack m_steps;
    LiveTopology m_document{m_steps};
    std::optional<Seen> m_seen;
    std::optional<Sent> m_sent;
    QString m_problem;
    std::vector<TopologyPlace> m_undecided;
    std::vector<TopologyConflict> m_conflicts; ///< of these, as they are now
    QString m_refusal;
    std::vector<TopologyPlace> m_refused;
};

} // namespace tasuki
