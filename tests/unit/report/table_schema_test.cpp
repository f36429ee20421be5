// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parts of the JSON report that are rows of tables: the schema has the columns that the tables declare.
#include <fstream>

#include "core/report/tables/bucket_tables.h"
#include "core/report/tables/rank_statistics.h"
#include "core/report/tables/run_tables.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"

namespace rankscope::test {
namespace {

using report::Unit;

/// The schema of an entry of a list: "experts/layers" is that of a run's experts' layers.
json entrySchema(const std::string& path) {
    std::ifstream file(sourceFolder() / "resources/report.schema.json");
    const json schema = json::parse(file);
    const auto resolved = [&schema](const json& part) {
        const std::string reference = part.value("$ref", "");
        return reference.empty() ? part : schema.at(json::json_pointer(reference.substr(1)));
    };
    json at = schema.at("$defs").at("run");
    std::istringstream names(path);
    for (std::string name; std::getline(names, name, '/');) {
        at = resolved(at.at("properties").at(name));
        for (const json& choice : at.value("oneOf", json::array())) {  // or null
            if (choice.contains("properties")) {
                at = json(choice);
                break;
            }
        }
    }
    return resolved(at.at("items"));
}

/// Whether the schema of a value can have what a column holds.
bool fits(const json& schema, Unit unit) {
    const std::string text = schema.dump();
    const auto has = [&text](const char* type) {
        return text.find(std::string("\"") + type + "\"") != std::string::npos;
    };
    switch (unit) {
        case Unit::Text:
        case Unit::Name:
        case Unit::Word: return has("string") || has("enum");
        case Unit::Flag: return has("boolean");
        default: return has("integer") || has("number") || has("$ref");
    }
}

struct TablePart {
    const char* path;
    report::DataTable (*table)(const AnalysedRun& run);
    std::vector<std::string> left_out;
};

TEST(TablesInTheReport, HaveTheColumnsThatTheSchemaSays) {
    const AnalysedRun run = [] {
        auto [builder, main, stream] = threadAndStream("main");
        builder.step(main, 1, 0, 1000);
        return analyse(runOf({builder.build()}));
    }();
    const std::vector<TablePart> parts = {{"rank_statistics", &report::rankStatisticsTable, {"title"}},
                                          {"buckets/today", &report::bucketsTable, {"order"}},
                                          {"buckets/caps", &report::bucketCapsTable, {"saving_ns", "best"}},
                                          {"experts/layers", &report::expertLayersTable, {}},
                                          {"tensor/operations", &report::tensorOperationsTable, {"ranks"}},
                                          {"tensor/layers", &report::tensorLayersTable, {}},
                                          {"parallelism/grid/dimensions", &report::gridTable, {}}};
    for (const TablePart& part : parts) {
        SCOPED_TRACE(part.path);
        const json schema = entrySchema(part.path);
        std::set<std::string> told;
        for (const auto& [key, value] : schema.at("properties").items()) {
            told.insert(key);
        }
        std::set<std::string> declared;
        for (const report::Column& column : part.table(run).columns) {
            if (column.key != "run" && std::ranges::find(part.left_out, column.key) == part.left_out.end()) {
                declared.insert(column.key);
                EXPECT_TRUE(told.contains(column.key) && fits(schema["properties"][column.key], column.unit))
                    << column.key;
            }
        }
        EXPECT_EQ(told, declared);
        EXPECT_EQ(schema.value("required", json::array()).size(), declared.size()) << "each row has all columns";
    }
}

}  // namespace
}  // namespace rankscope::test
