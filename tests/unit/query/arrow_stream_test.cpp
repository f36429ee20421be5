// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/arrow_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace rankscope {
namespace {

using tables::ColumnFiller;
using tables::FilledTable;
using tables::Type;
using tables::Value;

/// Five rows: whole numbers with one missing, reals, and texts with one missing.
std::shared_ptr<const FilledTable> fiveRows() {
    ColumnFiller numbers("n", Type::Integer, "a number");
    ColumnFiller reals("r", Type::Real);
    ColumnFiller texts("t", Type::Text);
    for (std::int64_t row = 0; row < 5; ++row) {
        numbers.add(row == 3 ? Value() : Value(row));
        reals.add(static_cast<double>(row) / 2);
        texts.add(row == 1 ? Value() : Value(std::string_view(row % 2 == 0 ? "even" : "odd")));
    }
    FilledTable out;
    out.rows = 5;
    out.columns.push_back(std::move(numbers).finish());
    out.columns.push_back(std::move(reals).finish());
    out.columns.push_back(std::move(texts).finish());
    return std::make_shared<const FilledTable>(std::move(out));
}

bool isValid(const ArrowArray& array, std::int64_t row) {
    const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[0]);
    const auto at = static_cast<std::uint64_t>(row + array.offset);
    return bits == nullptr || (static_cast<unsigned>(bits[at / 8]) >> (at % 8) & 1U) == 1;
}

std::string textAt(const ArrowArray& array, std::int64_t row) {
    if (!isValid(array, row)) {
        return "-";
    }
    const auto code = static_cast<const std::int32_t*>(array.buffers[1])[row + array.offset];
    const auto* const begin = static_cast<const std::int64_t*>(array.dictionary->buffers[1]);
    const auto* const bytes = static_cast<const char*>(array.dictionary->buffers[2]);
    return {bytes + begin[code], bytes + begin[code + 1]};
}

/// All batches of a stream, as texts; releases everything.
std::vector<std::string> rowsOf(ArrowArrayStream& stream, std::vector<std::int64_t>& lengths) {
    std::vector<std::string> out;
    for (;;) {
        ArrowArray batch{};
        EXPECT_EQ(stream.get_next(&stream, &batch), 0);
        if (batch.release == nullptr) {
            break;
        }
        lengths.push_back(batch.length);
        for (std::int64_t row = 0; row < batch.length; ++row) {
            const ArrowArray& numbers = *batch.children[0];
            const ArrowArray& reals = *batch.children[1];
            const auto number = static_cast<const std::int64_t*>(numbers.buffers[1])[row + numbers.offset];
            const auto real = static_cast<const double*>(reals.buffers[1])[row + reals.offset];
            out.push_back((isValid(numbers, row) ? std::to_string(number) : "-") + " " + std::to_string(real) + " " +
                          textAt(*batch.children[2], row));
        }
        batch.release(&batch);
        EXPECT_EQ(batch.release, nullptr);
    }
    stream.release(&stream);
    EXPECT_EQ(stream.release, nullptr);
    return out;
}

TEST(ArrowStreams, HaveEachRowOnceInBatchesOfAnySize) {
    const std::vector<std::string> rows = {"0 0.000000 even", "1 0.500000 -", "2 1.000000 even", "- 1.500000 odd",
                                           "4 2.000000 even"};
    for (const std::int64_t size : {std::int64_t{1}, std::int64_t{2}, std::int64_t{5}, std::int64_t{9}}) {
        ArrowArrayStream stream{};
        tables::exportStream(fiveRows(), &stream, size);
        std::vector<std::int64_t> lengths;
        EXPECT_EQ(rowsOf(stream, lengths), rows) << size;
        EXPECT_EQ(lengths.front(), std::min<std::int64_t>(size, 5));
        EXPECT_EQ(lengths.size(), static_cast<std::size_t>((5 + size - 1) / size));
    }
}

TEST(ArrowStreams, DescribeTheirColumns) {
    ArrowSchema schema{};
    tables::exportSchema(*fiveRows(), &schema);
    EXPECT_STREQ(schema.format, "+s");
    ASSERT_EQ(schema.n_children, 3);
    EXPECT_STREQ(schema.children[0]->format, "l");
    EXPECT_STREQ(schema.children[0]->name, "n");
    EXPECT_EQ(schema.children[0]->flags, ARROW_FLAG_NULLABLE);
    const std::string_view metadata(schema.children[0]->metadata, 4 + 4 + 7 + 4 + 8);
    EXPECT_EQ(metadata, std::string_view("\1\0\0\0\7\0\0\0meaning\10\0\0\0a number", 27));
    EXPECT_STREQ(schema.children[1]->format, "g");
    EXPECT_STREQ(schema.children[2]->format, "i");
    ASSERT_NE(schema.children[2]->dictionary, nullptr);
    EXPECT_STREQ(schema.children[2]->dictionary->format, "U");
    schema.release(&schema);
    EXPECT_EQ(schema.release, nullptr);
}

TEST(ArrowStreams, AreViewsThatKeepTheirTableAndNothingLonger) {
    std::shared_ptr<const FilledTable> table = fiveRows();
    const std::weak_ptr<const FilledTable> watched = table;
    const void* const numbers = table->columns[0].integers.data();
    ArrowArrayStream stream{};
    tables::exportStream(std::move(table), &stream);
    ArrowArray batch{};
    ASSERT_EQ(stream.get_next(&stream, &batch), 0);
    stream.release(&stream);
    EXPECT_EQ(batch.children[0]->buffers[1], numbers);
    // A consumer may take a column and release the rest.
    ArrowArray taken = *batch.children[0];
    batch.children[0]->release = nullptr;
    batch.release(&batch);
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(static_cast<const std::int64_t*>(taken.buffers[1])[4], 4);
    taken.release(&taken);
    EXPECT_TRUE(watched.expired());
}

TEST(ArrowStreams, OfNoRowsHaveColumnsAndNoBatch) {
    ColumnFiller texts("t", Type::Text);
    FilledTable empty;
    empty.columns.push_back(std::move(texts).finish());
    ArrowArrayStream stream{};
    tables::exportStream(std::make_shared<const FilledTable>(std::move(empty)), &stream);
    ArrowSchema schema{};
    ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
    EXPECT_EQ(schema.n_children, 1);
    schema.release(&schema);
    ArrowArray batch{};
    ASSERT_EQ(stream.get_next(&stream, &batch), 0);
    EXPECT_EQ(batch.release, nullptr);
    EXPECT_EQ(stream.get_last_error(&stream), nullptr);
    stream.release(&stream);
}

}  // namespace
}  // namespace rankscope
