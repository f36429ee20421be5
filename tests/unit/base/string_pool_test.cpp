// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/string_pool.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(StringPool, TheSameTextHasTheSameId) {
    StringPool pool;
    const std::string text = "aten::add";
    const StringId id = pool.intern(text);
    EXPECT_EQ(pool.intern(std::string("aten::") + "add"), id);
    EXPECT_NE(pool.intern("aten::mul"), id);
    EXPECT_EQ(pool.view(id), text);
}

TEST(StringPool, IdsAreDenseInOrderOfFirstUse) {
    StringPool pool;
    const std::size_t before = pool.size();
    const StringId first = pool.intern("x");
    const StringId second = pool.intern("y");
    EXPECT_EQ(second.value, first.value + 1);
    EXPECT_EQ(pool.size(), before + 2);
}

TEST(StringPool, LookingUpDoesNotAdd) {
    const StringPool pool;
    const std::size_t before = pool.size();
    EXPECT_FALSE(pool.find("never seen").valid());
    EXPECT_EQ(pool.size(), before);
}

TEST(StringPool, AnInvalidIdIsTheEmptyText) {
    const StringPool pool;
    EXPECT_EQ(pool.view(StringId()), "");
}

TEST(StringPool, ViewsOutliveGrowthAndMoves) {
    StringPool pool;
    const StringId first = pool.intern("the first of many");
    const std::string_view view = pool.view(first);
    const std::string long_text(100'000, 'k');
    for (int i = 0; i < 20'000; ++i) {
        pool.intern("kernel_" + std::to_string(i));
    }
    const StringId big = pool.intern(long_text);
    const StringPool moved = std::move(pool);
    EXPECT_EQ(view, "the first of many");
    EXPECT_EQ(moved.view(first).data(), view.data());
    EXPECT_EQ(moved.view(big), long_text);
    EXPECT_EQ(moved.find("kernel_19999").valid(), true);
}

TEST(StringPool, TextsWithZeroBytesAreToldApart) {
    StringPool pool;
    const std::string a("a\0b", 3);
    const std::string b("a\0c", 3);
    EXPECT_NE(pool.intern(a), pool.intern(b));
    EXPECT_EQ(pool.view(pool.intern(a)).size(), 3U);
}

}  // namespace
}  // namespace rankscope
