// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>

namespace tasuki {

enum class TableFormat : std::uint8_t { Csv, Tsv };

/// A table as text: a line of titles, then a line for each row, as they are shown.
/// Csv: RFC 4180, cells quoted where needed, lines end in CR LF. Tsv: tabs and line ends inside
/// cells become \t and \n, backslashes are doubled.
/// @param columns  which, in order; empty: all
QString tableText(const QAbstractItemModel& model, TableFormat format,
                  const QList<int>& columns = {});

/// Writes a whole file or leaves the old one.
/// @return what went wrong, for people; empty: nothing
QString writeWholeFile(const QString& path, const QByteArray& content);

} // namespace tasuki
