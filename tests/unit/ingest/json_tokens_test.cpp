// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/json_tokens.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A text with the room behind it that finding tokens needs, filled with what could be taken for more of it.
class Padded {
  public:
    explicit Padded(const std::string& text)
        : size_(text.size()), bytes_(text + std::string(JsonTokens::kPadding, '}')) {}
    [[nodiscard]] std::string_view findIn(JsonTokens& tokens) const { return tokens.find(bytes_.data(), size_); }

  private:
    std::size_t size_;
    std::string bytes_;
};

TEST(JsonTokens, AreBracketsCommasColonsStringsAndWords) {
    const Padded text(R"({"a": [1.5 , "x,\"}"],"b":null })");
    JsonTokens tokens;
    ASSERT_EQ(text.findIn(tokens), "");
    std::vector<std::string> found;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        found.emplace_back(tokens.text(i));
    }
    const std::vector<std::string> expected = {"{", "\"a\"", ":",     "[", "1.5",  ",", R"("x,\"}")",
                                               "]", ",",     "\"b\"", ":", "null", "}"};
    EXPECT_EQ(found, expected);
}

TEST(JsonTokens, StepsBehindAValueByItsBrackets) {
    const Padded text(R"({"a": {"b": [1, {}], "c": "}"}, "d": 2})");
    JsonTokens tokens;
    ASSERT_EQ(text.findIn(tokens), "");
    EXPECT_EQ(tokens.text(tokens.behind(3)), ",");
    EXPECT_EQ(tokens.behind(0), tokens.size());
    EXPECT_EQ(tokens.behind(1), 2U) << "a string is one token";
}

TEST(JsonTokens, BracketsThatAreNeverClosedReachToTheEnd) {
    const Padded text(R"({"a": {"b": 1)");
    JsonTokens tokens;
    ASSERT_EQ(text.findIn(tokens), "");
    EXPECT_EQ(tokens.behind(3), tokens.size());
}

TEST(JsonTokens, AreNotFoundInTextThatCannotBeJson) {
    JsonTokens tokens;
    for (const char* text : {"{\"a\": \"open}", "{\"a\": \"\x01\"}", "{\"a\": \"\xff\"}", "  "}) {
        EXPECT_NE(Padded(text).findIn(tokens), "") << text;
        EXPECT_EQ(tokens.size(), 0U);
    }
    EXPECT_EQ(Padded("[]").findIn(tokens), "") << "and the next text is read as if nothing had been";
    EXPECT_EQ(tokens.size(), 2U);
}

}  // namespace
}  // namespace rankscope::test
