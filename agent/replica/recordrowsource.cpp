// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordrowsource.h"

#include <memory>
#include <utility>

namespace tasuki {

RecordRowSource::RecordRowSource(std::filesystem::path file,
                                 std::function<void(std::function<void()>)> post)
    : m_path(std::move(file)), m_jobs(std::move(post))
{}

Result<RowReader*> RecordRowSource::reader()
{
    if (!m_reader) {
        Result<RowReader> opened = RowReader::open(m_path);
        if (!opened)
            return opened.error();
        m_reader.emplace(std::move(*opened));
    }
    return &*m_reader;
}

void RecordRowSource::read(EventId after, std::size_t bytes, Rows taken)
{
    m_jobs.add([this, after, bytes, taken = std::move(taken)] {
        const Result<RowReader*> from = reader();
        auto rows = std::make_shared<Result<RecordRows>>(from ? (*from)->read(after, bytes)
                                                              : Result<RecordRows>(from.error()));
        return [rows, taken] { taken(std::move(*rows)); };
    });
}

void RecordRowSource::firstShared(std::vector<RecordMark> marks, Shared taken)
{
    m_jobs.add([this, marks = std::move(marks), taken = std::move(taken)] {
        const Result<RowReader*> from = reader();
        using Found = Result<std::optional<RecordMark>>;
        auto found = std::make_shared<Found>(from ? (*from)->firstShared(marks)
                                                  : Found(from.error()));
        return [found, taken] { taken(std::move(*found)); };
    });
}

} // namespace tasuki
