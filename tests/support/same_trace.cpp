// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/same_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace rankscope::test {
namespace {

/// Each list as values that compare.
template <class T, class ToValue>
auto valuesOf(const std::vector<T>& things, const ToValue& value) {
    std::vector<decltype(value(things.front()))> out;
    std::ranges::transform(things, std::back_inserter(out), value);
    return out;
}

void expectSameIdentity(const RankTrace& a, const RankTrace& b) {
    EXPECT_EQ(
        std::tuple(a.rank, a.rank_origin, a.world_size, a.host, a.backend, a.metadata, a.window, a.first_counted_step),
        std::tuple(b.rank, b.rank_origin, b.world_size, b.host, b.backend, b.metadata, b.window, b.first_counted_step));
    const auto file = [](const TraceFile& f) {
        return std::tuple(f.path, f.member, f.bytes, f.json_bytes, f.modified_ns, f.window);
    };
    EXPECT_EQ(valuesOf(a.files, file), valuesOf(b.files, file));
    EXPECT_TRUE(a.devices == b.devices);
    EXPECT_TRUE(a.groups == b.groups);
}

std::vector<std::string> textsOf(const StringPool& strings) {
    std::vector<std::string> texts;
    for (std::uint32_t i = 0; i < strings.size(); ++i) {
        texts.emplace_back(strings.view(StringId(i)));
    }
    return texts;
}

}  // namespace

void expectSameTrace(const RankTrace& a, const RankTrace& b) {
    expectSameIdentity(a, b);
    EXPECT_EQ(a.health.notes, b.health.notes);
    EXPECT_TRUE(a.health == b.health);
    EXPECT_TRUE(textsOf(a.strings) == textsOf(b.strings));
    ASSERT_EQ(a.tracks.size(), b.tracks.size());
    for (std::size_t t = 0; t < a.tracks.size(); ++t) {
        EXPECT_TRUE(a.tracks[t] == b.tracks[t]) << a.tracks[t].name;
    }
    EXPECT_TRUE(std::ranges::equal(a.launches.all(), b.launches.all()));
    EXPECT_TRUE(a.flows == b.flows);
    EXPECT_TRUE(a.memory == b.memory);
    EXPECT_TRUE(a.sensors == b.sensors);
}

}  // namespace rankscope::test
