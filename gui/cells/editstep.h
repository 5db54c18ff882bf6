// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUndoCommand>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

/// Steps of undo of documents.
namespace tasuki {

/// A step that a function does and takes back: rows come, go or move, or everything changes.
class EditStep : public QUndoCommand {
public:
    using Run = std::function<void(bool forwards)>;

    EditStep(const QString& name, Run run) : QUndoCommand(name), m_run(std::move(run)) {}

    void undo() override { m_run(false); }
    void redo() override { m_run(true); }

private:
    Run m_run;
};

template <class Value>
struct ChangedValue {
    std::size_t place = 0;
    Value before;
    Value after;
};

/// Values of a document before and after an edit that leaves its rows where they are.
/// @tparam Values  the kinds of values, each a type of its own
template <class... Values>
struct ValueEdit {
    /// Says which cell was edited, if it was a single one: what kind, and where.
    using Cell = std::array<std::size_t, 4>;

    std::tuple<std::vector<ChangedValue<Values>>...> values; ///< of each kind ascending, each once
    std::optional<Cell> cell;

    template <class Value>
    [[nodiscard]] std::vector<ChangedValue<Value>>& of()
    {
        return std::get<std::vector<ChangedValue<Value>>>(values);
    }
    template <class Value>
    [[nodiscard]] const std::vector<ChangedValue<Value>>& of() const
    {
        return std::get<std::vector<ChangedValue<Value>>>(values);
    }
    /// Whether before and after are the same.
    [[nodiscard]] bool isVoid() const
    {
        const auto same = [](const auto& changed) { return changed.before == changed.after; };
        return (std::ranges::all_of(of<Values>(), same) && ...);
    }
    /// Takes over the values after a later edit of the same cell.
    /// @return whether it is of the same cell; else nothing is done
    bool absorb(const ValueEdit& later)
    {
        if (!cell || cell != later.cell
            || ((of<Values>().size() != later.template of<Values>().size()) || ...))
            return false;
        (takeOver(of<Values>(), later.template of<Values>()), ...);
        return true;
    }

private:
    template <class Value>
    static void takeOver(std::vector<ChangedValue<Value>>& mine,
                         const std::vector<ChangedValue<Value>>& later)
    {
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i].after = later[i].after;
    }
};

/// Values change, rows stay. Edits of one cell that follow each other are one step.
template <class Edit>
class ValueStep : public QUndoCommand {
public:
    using Apply = std::function<void(const Edit& edit, bool forwards)>;

    ValueStep(const QString& name, Edit edit, Apply apply)
        : QUndoCommand(name), m_edit(std::move(edit)), m_apply(std::move(apply))
    {}

    void undo() override { m_apply(m_edit, false); }
    void redo() override { m_apply(m_edit, true); }
    [[nodiscard]] int id() const override { return m_edit.cell ? 1 : -1; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* const later = dynamic_cast<const ValueStep*>(other);
        if (later == nullptr || !m_edit.absorb(later->m_edit))
            return false;
        setObsolete(m_edit.isVoid());
        return true;
    }

private:
    Edit m_edit;
    Apply m_apply;
};

} // namespace tasuki
