// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/filled_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>

#include "core/query/filled_answer.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"

namespace rankscope {
namespace {

using tables::ColumnFiller;
using tables::FilledColumn;
using tables::Type;
using tables::Value;
using testing::ElementsAre;

FilledColumn filled(std::optional<Type> type, const std::vector<Value>& cells) {
    ColumnFiller filler("x", type);
    for (const Value& cell : cells) {
        filler.add(cell);
    }
    return std::move(filler).finish();
}

std::vector<std::string> textsOf(const FilledColumn& column) {
    std::vector<std::string> out;
    for (std::size_t row = 0; row < column.codes.size(); ++row) {
        out.emplace_back(column.isNull(row) ? "-" : column.texts.at(static_cast<std::size_t>(column.codes[row])));
    }
    return out;
}

TEST(FilledColumns, KeepEachNumberAndHaveABitPerRowOnlyWhereOneIsMissing) {
    const FilledColumn whole = filled(Type::Integer, {std::int64_t{INT64_MAX}, std::int64_t{-1}});
    EXPECT_THAT(whole.integers, ElementsAre(INT64_MAX, -1));
    EXPECT_TRUE(whole.validity.empty());
    std::vector<Value> cells(20, Value(std::int64_t{7}));
    cells[9] = Value();
    cells[16] = Value();
    const FilledColumn some = filled(Type::Integer, cells);
    EXPECT_EQ(some.nulls, 2);
    EXPECT_EQ(some.validity.size(), 3U);
    for (std::uint64_t row = 0; row < cells.size(); ++row) {
        EXPECT_EQ(some.isNull(row), row == 9 || row == 16) << row;
        EXPECT_EQ(some.integers[row], some.isNull(row) ? 0 : 7) << row;
    }
}

TEST(FilledColumns, HaveEachTextOnceInValidUtf8) {
    const FilledColumn column =
        filled(Type::Text, {std::string_view("b"), std::string_view("a\xff"), Value(), std::string_view("b"), Value()});
    EXPECT_EQ(column.texts.size(), 2U);
    EXPECT_THAT(textsOf(column), ElementsAre("b", "a\xEF\xBF\xBD", "-", "b", "-"));
}

TEST(FilledColumns, WithoutADeclaredTypeHaveThatOfTheirValues) {
    EXPECT_EQ(filled({}, {Value(), Value()}).type, Type::Integer);
    EXPECT_EQ(filled({}, {Value(), Value(0.5)}).type, Type::Real);
    EXPECT_THAT(textsOf(filled({}, {Value(), std::string_view("x")})), ElementsAre("-", "x"));
    EXPECT_EQ(filled(Type::Text, {Value()}).type, Type::Text);
}

TEST(FilledColumns, WidenToWhatHoldsAllTheirValues) {
    const FilledColumn reals = filled({}, {std::int64_t{3}, Value(), Value(0.5), std::int64_t{4}});
    EXPECT_EQ(reals.type, Type::Real);
    EXPECT_EQ(reals.reals[0], 3);
    EXPECT_TRUE(std::isnan(reals.reals[1]));
    EXPECT_TRUE(reals.isNull(1));
    EXPECT_EQ(reals.reals[3], 4);
    EXPECT_THAT(textsOf(filled({}, {std::int64_t{3}, Value(), Value(0.5), std::string_view("x"), std::int64_t{4}})),
                ElementsAre("3", "-", "0.5", "x", "4"));
}

/// The cell as its reader gave it, text by text.
std::string textOf(const FilledColumn& column, std::uint64_t row) {
    return column.isNull(row)             ? "-"
           : column.type == Type::Integer ? std::to_string(column.integers[row])
           : column.type == Type::Real    ? std::to_string(column.reals[row])
                                          : std::string(column.texts.at(static_cast<std::size_t>(column.codes[row])));
}

std::string textOf(const Value& value, Type type) {
    switch (value.kind) {
        case Value::Kind::Null: return "-";
        case Value::Kind::Integer:
            return type == Type::Real ? std::to_string(static_cast<double>(value.integer))
                                      : std::to_string(value.integer);
        case Value::Kind::Real: return std::to_string(value.real);
        case Value::Kind::Text: return std::string(value.text);
    }
    return {};
}

TEST(FilledTables, HaveTheCellsOfEveryTableOfARun) {
    const AnalysedRun run = test::loadAndAnalyse(test::sample("ZeroWorkers"));
    const query::Database database({&run});
    std::size_t compared = 0;
    for (const tables::Table& table : database.tables()) {
        const auto made = tables::fillTable(table, {&run});
        ASSERT_TRUE(made.ok());
        const tables::FilledTable& out = *made.value();
        const auto rows = table.make({&run});
        const auto reader = rows->reader();
        ASSERT_EQ(out.rows, rows->size()) << table.name;
        ASSERT_EQ(out.columns.size(), table.columns.size()) << table.name;
        for (std::uint64_t row = 0; row < out.rows; ++row) {
            for (std::size_t i = 0; i < out.columns.size(); ++i) {
                ASSERT_EQ(textOf(out.columns[i], row), textOf(reader->at(row, i), out.columns[i].type))
                    << table.name << "." << out.columns[i].name << ", row " << row;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 100'000U);
}

TEST(FilledTables, AreNotMadeAfterAStop) {
    const AnalysedRun run = test::loadAndAnalyse(test::sample("ZeroWorkers"));
    const std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(tables::fillTable(tables::modelTables().front(), {&run}, stop.get_token()).cancelled());
}

TEST(FilledAnswers, HaveTheColumnsAndRowsOfTheQuestion) {
    query::Database database({});
    query::FilledAnswer answer;
    ASSERT_TRUE(database.ask("SELECT 1 AS one, NULL AS none, 'x' AS text UNION ALL SELECT 2, NULL, NULL", answer).ok());
    const auto table = std::move(answer).finish();
    EXPECT_EQ(table->rows, 2U);
    ASSERT_EQ(table->columns.size(), 3U);
    EXPECT_THAT(table->columns[0].integers, ElementsAre(1, 2));
    EXPECT_EQ(table->columns[1].nulls, 2);
    EXPECT_THAT(textsOf(table->columns[2]), ElementsAre("x", "-"));
}

}  // namespace
}  // namespace rankscope
