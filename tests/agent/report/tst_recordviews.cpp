// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "report/recordviews.h"
#include "runfile/runfilewriter.h"

#include <sqlite3.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tst_recordviews {

using namespace tasuki;

namespace {

std::vector<std::string> firstColumn(sqlite3* database, const std::string& sql)
{
    std::vector<std::string> found;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK) {
        while (sqlite3_step(statement) == SQLITE_ROW)
            found.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
    }
    sqlite3_finalize(statement);
    return found;
}

} // namespace

/// What is told of views and columns is what a run file has.
class TestRecordViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allViewsAndColumnsAreTold()
    {
        const QTemporaryDir directory;
        const std::string path = directory.filePath("a.tasuki").toStdString();
        QVERIFY(RunFileWriter::create(path, RunId::random()).ok());
        sqlite3* database = nullptr;
        QCOMPARE(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr),
                 SQLITE_OK);
        const auto inFile = firstColumn(database,
                                        "SELECT name FROM sqlite_schema WHERE type = 'view'");
        std::set<std::string> told;
        for (const RecordView& view : recordViews()) {
            told.insert(view.name);
            std::vector<std::string> columns;
            for (const RecordColumn& column : view.columns)
                columns.emplace_back(column.name);
            QCOMPARE(columns,
                     firstColumn(database,
                                 std::string("SELECT name FROM pragma_table_info('") + view.name
                                     + "')"));
        }
        sqlite3_close(database);
        QCOMPARE(told, std::set(inFile.begin(), inFile.end()));
    }
    void theTextFitsATerminal()
    {
        std::istringstream text(recordViewsText());
        std::size_t lines = 0;
        for (std::string line; std::getline(text, line); ++lines)
            QVERIFY2(line.size() < 80, line.c_str());
        QVERIFY(lines > 60);
        QVERIFY(recordViewsText().find("\n  elapsed_s        seconds from start to end\n")
                != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestRecordViews)

} // namespace tst_recordviews

#include "tst_recordviews.moc"
