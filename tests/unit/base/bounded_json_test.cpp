// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bounded_json.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(BoundedJson, ParsesWhatIsNestedUpToTheBound) {
    const auto value = parseBoundedJson(R"({"a": [1, {"b": "[[[[[{{{{{"}]})", 3);
    ASSERT_TRUE(value.ok());
    EXPECT_EQ(value.value()["a"][1]["b"], "[[[[[{{{{{");
    EXPECT_TRUE(parseBoundedJson(nested(kJsonDepth)).ok());
}

TEST(BoundedJson, RefusesWhatIsNestedDeeperBeforeItIsParsed) {
    EXPECT_EQ(parseBoundedJson(nested(4), 3).error().cause, "is nested deeper than 3 levels");
    EXPECT_TRUE(parseBoundedJson(nested(kJsonDepth + 1)).failed());
    EXPECT_TRUE(parseBoundedJson(nested(5'000'000)).failed()) << "which overflows the stack where it is parsed";
}

TEST(BoundedJson, BracketsInStringsAreNoNesting) {
    EXPECT_FALSE(nestedDeeperThan(R"(["\"[[[[[[\\", "[["])", 1));
    EXPECT_TRUE(nestedDeeperThan(R"(["\\", [1]])", 1));
}

TEST(BoundedJson, SaysWhereTextIsNoJson) {
    const auto broken = parseBoundedJson("{\"a\": nan}");
    ASSERT_TRUE(broken.failed());
    EXPECT_EQ(broken.error().byte_offset, 8U);
    EXPECT_TRUE(parseBoundedJson("{\"a\": 1e999}").failed());
    EXPECT_TRUE(parseBoundedJson("\"\xff\"").failed());
    EXPECT_TRUE(parseBoundedJson("").failed());
}

}  // namespace
}  // namespace rankscope
