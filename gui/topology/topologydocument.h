// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QList>
#include <QObject>
#include <QUndoStack>

#include "cells/cellfault.h"
#include "cells/fileondisk.h"
#include "config/topologyreader.h"
#include "domain/diagnostic.h"
#include "domain/result.h"
#include "topologychanges.h"
#include "topologyedit.h"
#include "topologyplace.h"

#include <memory>
#include <optional>
#include <vector>

namespace tasuki {

/// A cell of the table of subclusters. `subcluster` may be their number or more: then some are
/// added.
struct SubclusterCell {
    std::size_t subcluster = 0;
    config::TopologyField field{};
    QString text;
};

/// A topology that is edited: its file and its steps of undo. One call is one step. A cell never
/// takes a value that the rules of topology files do not allow for it; what an edit makes wrong
/// elsewhere, as a minimum above what is active now, is taken and is among faults(). That of a
/// running system has no file, and only what may change while it runs can be edited. GUI thread.
class TopologyDocument : public QObject, public EditedFile {
    Q_OBJECT

public:
    enum class Of : std::uint8_t { File, RunningSystem };

    explicit TopologyDocument(QObject* parent = nullptr, Of of = Of::File);
    ~TopologyDocument() override;

    [[nodiscard]] const config::Topology& topology() const { return m_topology; }
    [[nodiscard]] std::size_t count() const { return m_topology.subclusters.size(); }
    [[nodiscard]] bool isEmpty() const override { return m_topology.subclusters.empty(); }
    /// What is wrong with it as it is; that there are no subclusters too.
    [[nodiscard]] const std::vector<config::TopologyFault>& faults() const { return m_faults; }
    [[nodiscard]] const QString& path() const override { return m_path; }
    [[nodiscard]] bool isOfRunningSystem() const { return m_of == Of::RunningSystem; }
    /// Whether it is as in the file, or as the system runs.
    [[nodiscard]] bool isClean() const override
    {
        return m_of == Of::File ? m_undo.isClean() : m_topology == m_known;
    }
    /// @return why a field cannot be edited here, for people; empty: it can
    [[nodiscard]] QString fixedReason(config::TopologyField field) const;
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// Reads a file and waits for it. A file with errors changes nothing; another one replaces the
    /// topology, edits that are not saved and the steps of undo are gone.
    /// @return all that is wrong in it, warnings too
    std::vector<Diagnostic> load(const QString& path);
    /// The same without waiting: opened() follows. A later call of open() or load() takes the place
    /// of one that is under way.
    void open(const QString& path) override;
    [[nodiscard]] bool isOpening() const override { return m_isOpening; }
    /// @return an Error of kind Input when the topology has faults
    Result<void> save(const QString& path) override;
    /// Back to a topology without subclusters and without a file.
    void clear();

    [[nodiscard]] FileOnDisk lookAtFile() const override;
    std::vector<Diagnostic> takeFile(const FileOnDisk& file) override;
    void overruleFile(const FileOnDisk& file) override;
    /// What the file had when it was last read or written; empty: there is none.
    [[nodiscard]] const std::string& knownText() const { return m_knownFile.text(); }
    /// What save() would write.
    [[nodiscard]] std::string textToSave() const;
    /// Comments of the file that saving would lose.
    [[nodiscard]] std::vector<std::string> ownComments() const;
    /// What the file says, or how the system runs.
    [[nodiscard]] const config::Topology& known() const { return m_known; }
    /// What is another than that.
    [[nodiscard]] std::vector<TopologyChange> changes() const
    {
        return topologyChanges(m_known, m_topology);
    }

    /// The system runs otherwise now.
    /// @param edited  takes the place of topology(), as a step of undo unless this is the first time
    void follow(std::string text, config::Topology known, config::Topology edited);
    /// Gives cells the values of known(), as one step of undo.
    void takeKnown(const std::vector<TopologyPlace>& places);
    /// What others say of cells stands until it is set again.
    void setObjections(std::vector<TopologyObjection> objections);
    /// @return what is wrong with a cell because of others: cells, or people; empty: nothing
    [[nodiscard]] QString faultAt(const TopologyPlace& place) const;
    /// @return the exact text of a cell in known(); none: it has no such cell
    [[nodiscard]] std::optional<QString> knownText(const TopologyPlace& place) const;
    /// Whether a cell is another than in known().
    [[nodiscard]] bool isEdited(const TopologyPlace& place) const;

    /// Adds a subcluster with a name that is free. @return its row; none: there are as many as allowed
    std::optional<std::size_t> addSubcluster();
    /// Adds copies behind the last of them, with names that are free.
    /// @return whether there was room for them
    bool duplicate(const QList<int>& rows);
    void remove(const QList<int>& rows);
    /// Moves rows one place up or down. @return whether there was room
    bool move(const QList<int>& rows, bool up);
    [[nodiscard]] bool canMove(const QList<int>& rows, bool up) const;
    [[nodiscard]] bool hasRoom() const
    {
        return m_of == Of::File && count() < config::limits::mostSubclusters;
    }

    /// @return what is wrong with the text, for people; empty: the cell can have it
    [[nodiscard]] QString problem(const SubclusterCell& cell) const;
    [[nodiscard]] QString problem(config::TopologyField field, const QString& text) const;
    /// @return none: they are set, as one step of undo
    std::optional<CellFault> setCells(const QList<SubclusterCell>& cells);
    /// Sets a field of the system.
    /// @return what is wrong, for people; empty: it is set
    QString setSystem(config::TopologyField field, const QString& text);

    /// Hosts of the launch that is tried out, see readLaunch(). No part of what is saved or undone.
    [[nodiscard]] const QString& launchText() const { return m_launchText; }
    void setLaunchText(const QString& text);

Q_SIGNALS:
    /// Anything in topology() is another. One of the following three came before it.
    void changed();
    void subclustersEdited(int first, int last);
    void systemEdited();
    /// Subclusters came, went or moved, or everything is another; aboutToReset() came before.
    /// @param pointed  rows that came back or moved
    void reset(const QList<int>& pointed);
    void aboutToReset();

    /// What others say of cells, or known() alone.
    void marksChanged();
    void pathChanged();
    void cleanChanged(bool clean);
    void openingChanged();
    void launchChanged();
    /// What open() has come to, and whether the topology was taken.
    void opened(const QString& path, bool taken,
                const std::vector<tasuki::Diagnostic>& diagnostics);

private:
    class EditCommand;
    class ExchangeCommand;
    struct FileReading;

    static FileReading readFile(const QString& path);
    std::vector<Diagnostic> take(FileReading reading, const QString& path);
    void takeOpened();
    void stopOpening();
    void setAll(config::Topology topology, const QList<int>& pointed);
    void setKnown(std::string text, config::Topology topology);
    void setPath(const QString& path);
    void push(const QString& name, TopologyEdit edit);
    void exchange(const QString& name, config::Topology topology, const QList<int>& came,
                  const QList<int>& gone);
    void apply(const TopologyEdit& edit, bool forwards);
    [[nodiscard]] QList<int> rowsOf(const QList<int>& rows) const;

    Of m_of;
    config::Topology m_topology;
    std::vector<config::TopologyFault> m_faults;
    std::vector<TopologyObjection> m_objections;
    QString m_path;
    KnownFile m_knownFile;
    config::Topology m_known; ///< what the file says, or how the system runs
    QUndoStack m_undo;
    QString m_launchText;
    QFutureWatcher<std::shared_ptr<FileReading>> m_reading;
    QString m_readingPath;
    bool m_isOpening = false; ///< else what comes of a reading is of no interest
};

/// @return a subcluster that can be added: the name counts on from the last one
config::SubclusterSpec freshSubcluster(const std::vector<config::SubclusterSpec>& subclusters);

} // namespace tasuki
