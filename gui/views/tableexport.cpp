// SPDX-License-Identifier: GPL-3.0-or-later
#include "tableexport.h"

#include "domain/csvfield.h"
#include "models/exportvalue.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace tasuki {

namespace {

/// Context of the texts.
struct FileWriting {
    Q_DECLARE_TR_FUNCTIONS(FileWriting)
};

QString tsvCell(QString text)
{
    text.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    text.replace(QLatin1Char('\t'), QStringLiteral("\\t"));
    text.replace(QLatin1Char('\r'), QStringLiteral("\\r"));
    text.replace(QLatin1Char('\n'), QStringLiteral("\\n"));
    return text;
}

} // namespace

QString tableText(const QAbstractItemModel& model, TableFormat format, const QList<int>& columns)
{
    QList<int> wanted = columns;
    for (int column = 0; columns.isEmpty() && column < model.columnCount(); ++column)
        wanted << column;
    const bool csv = format == TableFormat::Csv;
    const QChar separator = csv ? QLatin1Char(',') : QLatin1Char('\t');
    const QString lineEnd = csv ? QStringLiteral("\r\n") : QStringLiteral("\n");
    QString text;
    const auto addLine = [&](const auto& cellOf) {
        for (qsizetype i = 0; i < wanted.size(); ++i) {
            if (i > 0)
                text += separator;
            const QString cell = cellOf(wanted[i]);
            text += csv ? QString::fromStdString(csvField(cell.toStdString())) : tsvCell(cell);
        }
        text += lineEnd;
    };
    addLine([&](int column) {
        const QVariant own = model.headerData(column, Qt::Horizontal, exportRole);
        return (own.isValid() ? own : model.headerData(column, Qt::Horizontal)).toString();
    });
    for (int row = 0; row < model.rowCount(); ++row) {
        addLine([&](int column) {
            const QModelIndex cell = model.index(row, column);
            const QVariant own = cell.data(exportRole);
            return (own.isValid() ? own : cell.data()).toString();
        });
    }
    return text;
}

QString writeWholeFile(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return {};
    return FileWriting::tr("%1 cannot be written: %2").arg(path, file.errorString());
}

} // namespace tasuki
