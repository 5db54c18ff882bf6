// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QList>
#include <QObject>
#include <QUndoStack>

#include "cells/cellfault.h"
#include "cells/fileondisk.h"
#include "domain/diagnostic.h"
#include "domain/result.h"
#include "environmentedit.h"
#include "plan/environmentfile.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// A cell of the table of nodes. `node` may be the number of nodes or more: then nodes are added.
struct NodeCell {
    std::uint32_t node = 0;
    NodeField field{};
    QString text;
};

/// A cell of the table of links.
struct LinkCell {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    LinkFigure figure{};
    QString text; ///< empty: the link has no figures of its own; of a burst: it has the default's
};

struct NodePair {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

/// An environment that is edited: its file and its steps of undo. All edits are checked by the
/// rules of environment files, one call is one step, and a wrong one changes nothing. Indexes are
/// those of environment().nodes. GUI thread.
class EnvironmentDocument : public QObject, public EditedFile {
    Q_OBJECT

public:
    explicit EnvironmentDocument(QObject* parent = nullptr);
    ~EnvironmentDocument() override;

    /// Its links have room for every pair of nodes.
    [[nodiscard]] const plan::Environment& environment() const { return m_environment; }
    [[nodiscard]] std::uint32_t nodeCount() const;
    [[nodiscard]] bool isEmpty() const override { return m_environment.nodes.empty(); }
    [[nodiscard]] const QString& path() const override { return m_path; }
    [[nodiscard]] bool isClean() const override { return m_undo.isClean(); }
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// Reads a file and waits for it. A file with errors changes nothing; another one replaces the
    /// environment, edits that are not saved and the steps of undo are gone.
    /// @return all that is wrong in it, warnings too
    std::vector<Diagnostic> load(const QString& path);
    /// The same without waiting: opened() follows. A later call of open() or load() takes the place
    /// of one that is under way.
    void open(const QString& path) override;
    [[nodiscard]] bool isOpening() const override { return m_isOpening; }
    Result<void> save(const QString& path) override;
    [[nodiscard]] FileOnDisk lookAtFile() const override;
    std::vector<Diagnostic> takeFile(const FileOnDisk& file) override;
    void overruleFile(const FileOnDisk& file) override;
    /// Back to an empty environment without a file.
    void clear();
    /// Takes an environment that was measured or sent, as one step of undo.
    /// @param name  of that step, for people
    void replace(plan::Environment environment, const QString& name);

    /// Adds a node with a name that is free. @return its index; none: there are as many as allowed
    std::optional<std::uint32_t> addNode();
    /// Adds copies of nodes with the same figures, also of their links, and names that are free.
    /// @return whether there was room for them
    bool duplicateNodes(const QList<int>& nodes);
    /// Removes nodes and the links from and to them.
    void removeNodes(const QList<int>& nodes);

    /// @return what is wrong with the text, for people; empty: the cell can have it
    [[nodiscard]] QString problem(const NodeCell& cell) const;
    [[nodiscard]] QString problem(const LinkCell& cell) const;
    [[nodiscard]] QString problem(GeneralField field, const QString& text) const;

    /// @return none: they are set, as one step of undo
    std::optional<CellFault> setCells(const QList<NodeCell>& cells);
    /// @param bothWays  sets the links back to the same, those that are not among the cells
    std::optional<CellFault> setCells(const QList<LinkCell>& cells, bool bothWays);
    /// @return what is wrong, for people; empty: it is set
    QString setGeneral(GeneralField field, const QString& text);
    /// Takes away the own figures of links: the default holds again.
    void clearLinks(const QList<NodePair>& pairs, bool bothWays);

Q_SIGNALS:
    /// Anything in environment() is another. One of the following four came before it.
    void changed();
    void nodesEdited(int first, int last);
    void linksEdited();
    void generalEdited();
    /// Nodes came or went, or everything is another; aboutToReset() came before.
    /// @param came  nodes that were put in
    void reset(const QList<int>& came);
    void aboutToReset();

    void pathChanged();
    void cleanChanged(bool clean);
    void openingChanged();
    /// What open() has come to, and whether the environment was taken.
    void opened(const QString& path, bool taken,
                const std::vector<tasuki::Diagnostic>& diagnostics);

private:
    class EditCommand;
    class NodesCommand;
    class ReplaceCommand;

    struct FileReading {
        std::string text;
        plan::EnvironmentReading reading;
    };

    static FileReading readFile(const std::string& path);
    std::vector<Diagnostic> take(FileReading file, const QString& path);
    void stopOpening();
    void setAll(plan::Environment environment);
    void setPath(const QString& path);
    void push(const QString& name, EnvironmentEdit edit);
    void pushInsert(const QString& name, NodeExcerpt excerpt);
    void apply(const EnvironmentEdit& edit, bool forwards);
    void insert(const NodeExcerpt& excerpt);
    [[nodiscard]] NodeExcerpt remove(const std::vector<std::uint32_t>& places);

    plan::Environment m_environment;
    QString m_path;
    QUndoStack m_undo;
    KnownFile m_knownFile;
    QFutureWatcher<std::shared_ptr<FileReading>> m_reading;
    QString m_readingPath;
    bool m_isOpening = false; ///< else what comes of a reading is of no interest
};

/// @return a node that can be added: the name counts on from the last one
plan::NodeSpec freshNode(const std::vector<plan::NodeSpec>& nodes);
/// @return the name with a number behind it, the first that no node has; the name itself if free
std::string freeName(const std::vector<plan::NodeSpec>& nodes, const std::string& name);

} // namespace tasuki
