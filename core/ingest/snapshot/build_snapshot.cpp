// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/snapshot/build_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/ingest/bounds.h"

namespace rankscope {
namespace {

/// Bytes of all segments, of all blocks, and of all entries: their sums fit 64 bits.
constexpr std::int64_t kMostInAll = std::int64_t{1} << 60;
/// Frames of a stack, innermost first; deeper ones are left out.
constexpr std::size_t kMostFrames = 512;
/// Microseconds since 1970: until 2112.
constexpr std::int64_t kLatestTime = std::int64_t{1} << 52;

/// The keys that are read; others are skipped.
enum class Key : std::uint8_t {
    Segments,
    DeviceTraces,
    AllocatorSettings,
    Device,
    Address,
    TotalSize,
    Stream,
    SegmentType,
    SegmentPoolId,
    IsExpandable,
    Blocks,
    Size,
    RequestedSize,
    State,
    Frames,
    History,
    RealSize,
    Action,
    Addr,
    DeviceFree,
    TimeUs,
    Filename,
    Name,
    Line,
};
constexpr std::array<std::string_view, 24> kKeys = {"segments",       "device_traces", "allocator_settings",
                                                    "device",         "address",       "total_size",
                                                    "stream",         "segment_type",  "segment_pool_id",
                                                    "is_expandable",  "blocks",        "size",
                                                    "requested_size", "state",         "frames",
                                                    "history",        "real_size",     "action",
                                                    "addr",           "device_free",   "time_us",
                                                    "filename",       "name",          "line"};

constexpr std::array<std::pair<std::string_view, AllocatorAction>, 9> kActions = {{
    {"alloc", AllocatorAction::Alloc},
    {"free_requested", AllocatorAction::FreeRequested},
    {"free_completed", AllocatorAction::FreeCompleted},
    {"segment_alloc", AllocatorAction::SegmentAlloc},
    {"segment_free", AllocatorAction::SegmentFree},
    {"segment_map", AllocatorAction::SegmentMap},
    {"segment_unmap", AllocatorAction::SegmentUnmap},
    {"oom", AllocatorAction::OutOfMemory},
    {"snapshot", AllocatorAction::Snapshot},
}};

constexpr std::array<std::pair<std::string_view, BlockState>, 4> kStates = {{
    {"active_allocated", BlockState::Allocated},
    {"active_pending_free", BlockState::PendingFree},
    {"active_awaiting_free", BlockState::PendingFree},
    {"inactive", BlockState::Inactive},
}};

template <class Value, std::size_t Count>
Value named(const std::array<std::pair<std::string_view, Value>, Count>& names, std::string_view name, Value other) {
    const auto at = std::ranges::find(names, name, &std::pair<std::string_view, Value>::first);
    return at == names.end() ? other : at->second;
}

/// The values of a dict under the keys that are read.
class Fields {
  public:
    [[nodiscard]] std::optional<PickleValue> operator[](Key key) const {
        return values_[static_cast<std::size_t>(key)];
    }
    void set(std::size_t key, PickleValue value) { values_[key] = value; }

  private:
    std::array<std::optional<PickleValue>, kKeys.size()> values_;
};

class SnapshotBuilder {
  public:
    SnapshotBuilder(PickleData data, const std::string& path) : data_(std::move(data)) {
        snapshot_.path = path;
        seen_.resize(data_.containerCount());
        key_of_.resize(data_.strings().size(), kNoKey);
        for (std::size_t key = 0; key < kKeys.size(); ++key) {
            if (const StringId id = data_.strings().find(kKeys[key]); id.valid()) {
                key_of_[id.value] = static_cast<std::uint8_t>(key);
            }
        }
    }

    Result<MemorySnapshot> build() {
        PickleValue segments = data_.root;
        if (data_.root.kind() == PickleKind::Dict) {
            const Fields fields = fieldsOf(data_.root);
            segments = fields[Key::Segments].value_or(PickleValue());
            addHistory(fields[Key::DeviceTraces].value_or(PickleValue()));
            addSettings(fields[Key::AllocatorSettings].value_or(PickleValue()));
        }
        if (segments.kind() != PickleKind::List && data_.strings().find("pg_config").valid()) {
            return Error{snapshot_.path, {}, "is a flight recorder dump: `rankscope-cli hang` reads it"};
        }
        if (segments.kind() != PickleKind::List) {
            return noSnapshot("it has no list of segments");
        }
        data_.each(segments, [this](PickleValue segment) { return addSegment(segment); });
        if (wrong_) {
            return noSnapshot(*wrong_);
        }
        snapshot_.strings = std::move(data_.strings());
        return std::move(snapshot_);
    }

  private:
    static constexpr std::uint8_t kNoKey = 0xff;

    [[nodiscard]] Error noSnapshot(const std::string& why) const {
        return {snapshot_.path, std::nullopt, "is a pickle, but not a PyTorch memory snapshot: " + why};
    }

    bool refuse(std::string why) {
        if (!wrong_) {
            wrong_ = std::move(why);
        }
        return false;
    }

    /// Adds to a sum. False if it exceeds all bounds.
    bool count(std::int64_t bytes, std::int64_t& sum) {
        sum += bytes;
        return sum <= kMostInAll || refuse("it has more memory than possible");
    }

    /// Marks a container as visited. False where it has been before.
    bool visit(PickleValue container) {
        const bool first = !seen_[container.payload()];
        seen_[container.payload()] = true;
        return first;
    }

    [[nodiscard]] Fields fieldsOf(PickleValue dict) const {
        Fields fields;
        std::optional<std::uint8_t> key;
        bool is_key = true;
        data_.each(dict, [&](PickleValue item) {
            if (!is_key && key) {
                fields.set(*key, item);
            } else if (is_key) {
                const StringId id = data_.text(item);
                key = id.valid() && key_of_[id.value] != kNoKey ? std::optional(key_of_[id.value]) : std::nullopt;
            }
            is_key = !is_key;
            return true;
        });
        return fields;
    }

    [[nodiscard]] std::int64_t integer(std::optional<PickleValue> value, std::int64_t otherwise) const {
        return value ? data_.integer(*value).value_or(otherwise) : otherwise;
    }
    [[nodiscard]] std::string_view text(std::optional<PickleValue> value) const {
        return value ? data_.strings().view(data_.text(*value)) : std::string_view();
    }
    /// A number of bytes; nothing if it is not a valid size of memory.
    [[nodiscard]] std::optional<std::int64_t> bytes(std::optional<PickleValue> value) const {
        const std::int64_t count = integer(value, -1);
        return count >= 0 && count <= kMostBytes ? std::optional(count) : std::nullopt;
    }
    [[nodiscard]] bool isTrue(std::optional<PickleValue> value) const { return integer(value, 0) != 0; }

    bool addSegment(PickleValue value) {
        if (value.kind() != PickleKind::Dict || !visit(value)) {
            return refuse("a segment is not a dict of its own");
        }
        const Fields fields = fieldsOf(value);
        const std::optional<std::int64_t> total = bytes(fields[Key::TotalSize]);
        const std::int64_t device = integer(fields[Key::Device], 0);
        if (!total || device < 0 || device >= kMostDevices) {
            return refuse("a segment has no size, or an impossible device");
        }
        if (!count(*total, segment_bytes_)) {
            return false;
        }
        SnapshotSegment segment;
        segment.device = static_cast<std::int32_t>(device);
        segment.address = static_cast<std::uint64_t>(integer(fields[Key::Address], 0));
        segment.total = *total;
        segment.stream = static_cast<std::uint64_t>(integer(fields[Key::Stream], 0));
        segment.pool = fields[Key::SegmentType] ? data_.text(*fields[Key::SegmentType]) : StringId();
        segment.expandable = isTrue(fields[Key::IsExpandable]);
        segment.private_pool = hasPool(fields[Key::SegmentPoolId]);
        segment.first_block = static_cast<std::uint32_t>(snapshot_.blocks.size());
        const PickleValue blocks = fields[Key::Blocks].value_or(PickleValue());
        if (blocks.isContainer() && !visit(blocks)) {
            return refuse("two segments have the same list of blocks");
        }
        std::uint64_t address = segment.address;
        if (!data_.each(blocks, [&](PickleValue block) { return addBlock(block, address); })) {
            return false;
        }
        segment.block_count = static_cast<std::uint32_t>(snapshot_.blocks.size()) - segment.first_block;
        snapshot_.segments.push_back(segment);
        return true;
    }

    /// The default pool is (0, 0).
    [[nodiscard]] bool hasPool(std::optional<PickleValue> id) const {
        bool any = false;
        if (id) {
            int parts = 0;
            data_.each(*id, [&](PickleValue part) {
                any = any || data_.integer(part).value_or(0) != 0;
                return !any && ++parts < 2;
            });
        }
        return any;
    }

    bool addBlock(PickleValue value, std::uint64_t& address) {
        if (value.kind() != PickleKind::Dict || !visit(value)) {
            return refuse("a block is not a dict of its own");
        }
        const Fields fields = fieldsOf(value);
        const std::optional<std::int64_t> size = bytes(fields[Key::Size]);
        if (!size) {
            return refuse("a block has no size");
        }
        if (!count(*size, block_bytes_)) {
            return false;
        }
        SnapshotBlock block;
        block.bytes = *size;
        block.address = static_cast<std::uint64_t>(integer(fields[Key::Address], static_cast<std::int64_t>(address)));
        block.requested = std::min(*size, bytes(fields[Key::RequestedSize]).value_or(*size));
        block.state = named(kStates, text(fields[Key::State]), BlockState::Unknown);
        block.stack = stackOf(fields[Key::Frames].value_or(PickleValue()));
        if (!fields[Key::Frames] && fields[Key::History]) {
            takeLastUse(*fields[Key::History], block);
        }
        snapshot_.blocks.push_back(block);
        address = block.address + static_cast<std::uint64_t>(*size);
        return true;
    }

    /// Snapshots of PyTorch 1.13 to 2.0 say what a block was used for as a list, its last use first.
    void takeLastUse(PickleValue history, SnapshotBlock& block) {
        data_.each(history, [&](PickleValue use) {
            const Fields fields = use.kind() == PickleKind::Dict && visit(use) ? fieldsOf(use) : Fields();
            block.requested = std::min(block.bytes, bytes(fields[Key::RealSize]).value_or(block.bytes));
            block.stack = stackOf(fields[Key::Frames].value_or(PickleValue()));
            return false;
        });
    }

    /// The stack for a list of frames: lists are shared, and read once.
    std::uint32_t stackOf(PickleValue list) {
        if (list.kind() != PickleKind::List && list.kind() != PickleKind::Tuple) {
            return 0;
        }
        const auto [at, is_new] = stacks_.try_emplace(list.payload(), 0);
        if (!is_new) {
            return at->second;
        }
        std::vector<std::uint32_t> frames;
        data_.each(list, [&](PickleValue frame) {
            if (frame.kind() == PickleKind::Dict) {
                frames.push_back(frameOf(frame));
            }
            return frames.size() < kMostFrames;
        });
        if (!frames.empty()) {
            at->second = static_cast<std::uint32_t>(snapshot_.stacks.size());
            snapshot_.stacks.push_back(std::move(frames));
        }
        return at->second;
    }

    std::uint32_t frameOf(PickleValue dict) {
        const auto [at, is_new] = frames_.try_emplace(dict.payload(), static_cast<std::uint32_t>(frames_.size()));
        if (is_new) {
            const Fields fields = fieldsOf(dict);
            SnapshotFrame& frame = snapshot_.frames.emplace_back();
            frame.file = fields[Key::Filename] ? data_.text(*fields[Key::Filename]) : StringId();
            frame.function = fields[Key::Name] ? data_.text(*fields[Key::Name]) : StringId();
            frame.line = integer(fields[Key::Line], 0);
        }
        return at->second;
    }

    void addHistory(PickleValue devices) {
        data_.each(devices, [this](PickleValue device) {
            if (snapshot_.history.size() >= static_cast<std::size_t>(kMostDevices)) {
                return refuse("it has the history of more devices than possible");
            }
            std::vector<AllocatorEvent>& events = snapshot_.history.emplace_back();
            if (device.isContainer() && !visit(device)) {
                return refuse("two devices have the same history");
            }
            return data_.each(device, [&](PickleValue entry) { return addEvent(entry, events); });
        });
    }

    bool addEvent(PickleValue entry, std::vector<AllocatorEvent>& events) {
        if (entry.kind() != PickleKind::Dict || !visit(entry)) {
            return refuse("an entry of the history is not a dict of its own");
        }
        const Fields fields = fieldsOf(entry);
        AllocatorEvent event;
        event.action = named(kActions, text(fields[Key::Action]), AllocatorAction::Other);
        const auto address = fields[Key::Addr] ? fields[Key::Addr] : fields[Key::DeviceFree];
        event.address = static_cast<std::uint64_t>(integer(address, 0));
        event.bytes = bytes(fields[Key::Size]).value_or(0);
        const std::int64_t time_us = integer(fields[Key::TimeUs], 0);
        event.time_us = time_us > 0 && time_us < kLatestTime ? time_us : 0;
        event.stack = stackOf(fields[Key::Frames].value_or(PickleValue()));
        events.push_back(event);
        return count(event.bytes, event_bytes_);
    }

    void addSettings(PickleValue settings) {
        std::string key;
        bool is_key = true;
        data_.each(settings, [&](PickleValue item) {
            if (is_key) {
                key = data_.strings().view(data_.text(item));
            } else if (!key.empty() && !item.isContainer()) {
                snapshot_.settings.emplace_back(key, settingText(item));
            }
            is_key = !is_key;
            return snapshot_.settings.size() < 64;
        });
    }

    [[nodiscard]] std::string settingText(PickleValue value) const {
        switch (value.kind()) {
            case PickleKind::Text: return std::string(data_.strings().view(data_.text(value)));
            case PickleKind::Boolean: return value.payload() != 0 ? "True" : "False";
            case PickleKind::Real: return formatDecimal(data_.real(value).value_or(0.0), 3);
            case PickleKind::None: return "None";
            default: return fmt::format("{}", data_.integer(value).value_or(0));
        }
    }

    PickleData data_;
    MemorySnapshot snapshot_;
    std::vector<bool> seen_;                                   // containers, by index
    std::vector<std::uint8_t> key_of_;                         // by text: its Key
    std::unordered_map<std::uint64_t, std::uint32_t> stacks_;  // by list
    std::unordered_map<std::uint64_t, std::uint32_t> frames_;  // by dict
    std::int64_t segment_bytes_ = 0;
    std::int64_t block_bytes_ = 0;
    std::int64_t event_bytes_ = 0;
    std::optional<std::string> wrong_;
};

}  // namespace

Result<MemorySnapshot> buildSnapshot(PickleData data, const std::string& path) {
    return SnapshotBuilder(std::move(data), path).build();
}

}  // namespace rankscope
