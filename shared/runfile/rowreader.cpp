// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowreader.h"

#include "readablerecord.h"
#include "recordmarks.h"
#include "rowqueries.h"
#include "schema.h"

#include <utility>

namespace tasuki {

class RowReader::Impl {
public:
    explicit Impl(ReadableRecord opened) : view(std::move(opened)) {}

    Result<void> prepare()
    {
        auto prepared = RowQueries::prepare(view.database());
        if (!prepared)
            return prepared.error();
        queries.emplace(std::move(*prepared));
        return {};
    }

    ReadableRecord view;
    std::optional<RowQueries> queries;
};

Result<RowReader> RowReader::open(const std::filesystem::path& path)
{
    auto view = ReadableRecord::open(path);
    if (!view)
        return view.error();
    auto impl = std::make_unique<Impl>(std::move(*view));
    if (auto prepared = impl->prepare(); !prepared)
        return prepared.error();
    return RowReader(std::move(impl));
}

RowReader::RowReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;
RowReader::~RowReader() = default;

Result<RecordRows> RowReader::read(EventId after, std::size_t bytes)
{
    return m_impl->queries->read(m_impl->view.database(), after, bytes);
}

Result<std::optional<RecordMark>> RowReader::firstShared(std::span<const RecordMark> marks)
{
    for (const RecordMark& mark : marks) {
        const auto own = markAtOrBefore(m_impl->view.database(), rowIdOf(mark.id));
        if (!own)
            return own.error();
        if (*own == mark)
            return *own;
    }
    return std::optional<RecordMark>();
}

Result<std::optional<RecordMark>> RowReader::latest()
{
    return latestMark(m_impl->view.database());
}

const RunId& RowReader::run() const { return m_impl->view.run(); }

Result<std::optional<RecordPlace>> RowReader::copyOf()
{
    return readCopyOf(m_impl->view.database());
}

} // namespace tasuki
