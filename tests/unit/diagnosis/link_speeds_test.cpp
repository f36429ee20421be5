// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/link_speeds.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(LinkSpeeds, OlderDevicesHaveTheOlderLink) {
    const LinkSpeeds speeds = LinkSpeeds::builtIn();
    EXPECT_EQ(speeds.of("Tesla V100-SXM2-16GB"), 12);
    EXPECT_EQ(speeds.of("NVIDIA GeForce RTX 2080 Ti"), 12);
    EXPECT_EQ(speeds.of("NVIDIA A100-SXM4-80GB"), 24);
    EXPECT_EQ(speeds.of("AMD Instinct MI300X"), 24);
}

TEST(LinkSpeeds, TheDeviceThatDidTheWorkDecides) {
    RankTrace rank;
    rank.devices.push_back({.id = 0, .name = "Tesla V100-SXM2-16GB"});
    rank.devices.push_back({.id = 1, .name = "NVIDIA A100-SXM4-80GB"});
    const LinkSpeeds speeds = LinkSpeeds::builtIn();
    EXPECT_EQ(speeds.of(rank, 0), 12);
    EXPECT_EQ(speeds.of(rank, 1), 24);
    EXPECT_EQ(speeds.of(rank, 7), 24) << "a device that the file does not describe";
}

TEST(LinkSpeeds, TheFirstEntryThatMatchesDecides) {
    const auto speeds = LinkSpeeds::fromJson(
        R"({"default": 5, "devices": [{"name": "X1 fast", "gb_per_s": 50}, {"name": "X1", "gb_per_s": 10}]})",
        "a.json");
    ASSERT_TRUE(speeds.ok());
    EXPECT_EQ(speeds.value().of("X1 fast"), 50);
    EXPECT_EQ(speeds.value().of("X1 slow"), 10);
    EXPECT_EQ(speeds.value().of("Y"), 5);
}

TEST(LinkSpeeds, ABadTableIsRefused) {
    EXPECT_TRUE(LinkSpeeds::fromJson("{", "a.json").failed());
    EXPECT_TRUE(LinkSpeeds::fromJson(R"({"default": 24})", "a.json").failed());
    EXPECT_TRUE(LinkSpeeds::fromJson(R"({"default": 0, "devices": []})", "a.json").failed());
    EXPECT_TRUE(LinkSpeeds::fromJson(R"({"default": 1, "devices": [{"name": "X", "gb_per_s": -1}]})", "a").failed());
}

}  // namespace
}  // namespace rankscope::test
