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

auto valueOf(const CollectiveArgs& a) {
    return std::tuple(std::tuple(a.name, a.dtype, a.group_name, a.group_description, a.group_ranks, a.comms_id),
                      std::tuple(a.in_elements, a.out_elements, a.sequence, a.group_size, a.rank, a.global_start,
                                 a.global_stride, a.peer_src, a.peer_dst));
}
auto valueOf(const SyncArgs& a) {
    return std::tuple(a.kind, a.wait_on_stream, a.event_record_correlation);
}
auto valueOf(const OperatorInputs& a) {
    return std::tuple(a.shapes, a.types, a.values, a.flops);
}
auto valueOf(std::int64_t bytes) {
    return bytes;
}

template <class T>
void expectSameColumn(const SparseColumn<T>& a, const SparseColumn<T>& b) {
    const auto value = [](const T& args) { return valueOf(args); };
    EXPECT_EQ(a.slice, b.slice);
    EXPECT_TRUE(valuesOf(a.value, value) == valuesOf(b.value, value));
}

void expectSameTrack(const Track& a, const Track& b) {
    EXPECT_EQ(std::tuple(a.kind, a.process, a.lane, a.device, a.name, a.row_count),
              std::tuple(b.kind, b.process, b.lane, b.device, b.name, b.row_count));
    EXPECT_TRUE(a.slices.start_ns == b.slices.start_ns);
    EXPECT_TRUE(a.slices.end_ns == b.slices.end_ns);
    EXPECT_TRUE(a.slices.source == b.slices.source);
    EXPECT_TRUE(a.slices.name == b.slices.name);
    EXPECT_TRUE(a.slices.parent == b.slices.parent);
    EXPECT_TRUE(a.slices.depth == b.slices.depth);
    EXPECT_TRUE(a.slices.category == b.slices.category);
    EXPECT_TRUE(a.slices.flag == b.slices.flag);
    expectSameColumn(a.bytes, b.bytes);
    expectSameColumn(a.collectives, b.collectives);
    expectSameColumn(a.syncs, b.syncs);
    expectSameColumn(a.inputs, b.inputs);
}

void expectSameIdentity(const RankTrace& a, const RankTrace& b) {
    EXPECT_EQ(
        std::tuple(a.rank, a.rank_origin, a.world_size, a.host, a.backend, a.metadata, a.window, a.first_counted_step),
        std::tuple(b.rank, b.rank_origin, b.world_size, b.host, b.backend, b.metadata, b.window, b.first_counted_step));
    const auto file = [](const TraceFile& f) {
        return std::tuple(f.path, f.member, f.bytes, f.json_bytes, f.modified_ns, f.window);
    };
    EXPECT_EQ(valuesOf(a.files, file), valuesOf(b.files, file));
    const auto device = [](const DeviceProperties& d) {
        return std::tuple(d.id, d.name, d.total_memory_bytes, d.multiprocessors);
    };
    EXPECT_EQ(valuesOf(a.devices, device), valuesOf(b.devices, device));
    const auto group = [](const ProcessGroup& g) {
        return std::tuple(g.name, g.description, g.backend, g.size, g.ranks);
    };
    EXPECT_TRUE(valuesOf(a.groups, group) == valuesOf(b.groups, group));
}

void expectSameHealth(const Health& a, const Health& b) {
    const auto numbers = [](const Health& h) {
        return std::vector<std::int64_t>{static_cast<std::int64_t>(h.events),
                                         static_cast<std::int64_t>(h.slices),
                                         static_cast<std::int64_t>(h.skipped),
                                         static_cast<std::int64_t>(h.recovered),
                                         static_cast<std::int64_t>(h.overlapping),
                                         static_cast<std::int64_t>(h.negative_durations),
                                         static_cast<std::int64_t>(h.early_kernels),
                                         static_cast<std::int64_t>(h.unlinked_launches),
                                         static_cast<std::int64_t>(h.unlinked_device),
                                         h.time_resolution_ns,
                                         h.time_slack_ns,
                                         h.ranks_mixed ? 1 : 0,
                                         h.truncated ? 1 : 0};
    };
    EXPECT_EQ(numbers(a), numbers(b));
    EXPECT_EQ(a.notes, b.notes);
    const auto issue = [](const ParseIssue& i) { return std::tuple(i.file, i.byte_offset, i.cause); };
    EXPECT_EQ(valuesOf(a.parse_issues, issue), valuesOf(b.parse_issues, issue));
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
    expectSameHealth(a.health, b.health);
    EXPECT_TRUE(textsOf(a.strings) == textsOf(b.strings));
    ASSERT_EQ(a.tracks.size(), b.tracks.size());
    for (std::size_t t = 0; t < a.tracks.size(); ++t) {
        SCOPED_TRACE(a.tracks[t].name);
        expectSameTrack(a.tracks[t], b.tracks[t]);
    }
    EXPECT_TRUE(std::ranges::equal(a.launches.all(), b.launches.all()));
    const auto flow = [](const Flow& f) { return std::tuple(f.from, f.to); };
    EXPECT_TRUE(valuesOf(a.flows, flow) == valuesOf(b.flows, flow));
    EXPECT_TRUE(a.memory.at_ns == b.memory.at_ns);
    EXPECT_TRUE(a.memory.bytes == b.memory.bytes);
    EXPECT_TRUE(a.memory.address == b.memory.address);
    EXPECT_TRUE(a.memory.total_allocated == b.memory.total_allocated);
    EXPECT_TRUE(a.memory.total_reserved == b.memory.total_reserved);
    EXPECT_TRUE(a.memory.device == b.memory.device);
}

}  // namespace rankscope::test
