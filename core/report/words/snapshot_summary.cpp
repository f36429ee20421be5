// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/snapshot_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/analysis/memory/memory_advice.h"
#include "core/analysis/memory/stack_part.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope::report {
namespace {

/// The most stacks of a device in the table for programs; further ones have almost no memory.
constexpr std::size_t kStackRows = 10'000;

std::string bytesText(std::int64_t bytes) {
    return formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes)));
}

std::string shareText(std::int64_t part, std::int64_t whole) {
    return whole <= 0 ? "-" : formatPercent(static_cast<double>(part) / static_cast<double>(whole));
}

std::string heldText(const DeviceSnapshot& device) {
    return fmt::format(
        "GPU {}: {} reserved in {}; {} allocated in {}. {} are free in used segments (fragmentation {}), {} in free "
        "segments{}. The largest free block has {}.",
        device.device, bytesText(device.reserved), formatCounted(device.segment_count, "segment"),
        bytesText(device.allocated), formatCounted(device.block_count, "block"), bytesText(device.split),
        formatPercent(device.fragmentation()), bytesText(device.free_segments),
        device.pending > 0 ? fmt::format(", {} are freed but perhaps still used by a stream", bytesText(device.pending))
                           : "",
        bytesText(device.largest_free));
}

std::string peakText(const DeviceSnapshot& device) {
    if (!device.peak) {
        return {};
    }
    const HistoryCounts& history = device.history;
    std::string text =
        fmt::format("GPU {}: at the peak of its history {} were in use", device.device, bytesText(device.peak->active));
    if (device.peak->before_us) {
        text += fmt::format(", {} before the last entry", formatDuration(*device.peak->before_us * 1000));
    }
    text += fmt::format("; {}, {}, {} from the driver, {} returned.", formatCounted(history.allocs, "allocation"),
                        formatCounted(history.frees, "release"), formatCounted(history.segment_allocs, "segment"),
                        formatCount(history.segment_frees));
    if (history.out_of_memory > 0) {
        text += fmt::format(" Memory ran out {}: {} were requested when {} were free.",
                            history.out_of_memory == 1 ? "once" : formatCounted(history.out_of_memory, "time"),
                            bytesText(history.largest_failed), bytesText(history.free_then));
    }
    return text;
}

DataTable namedTable(std::string name, std::vector<Column> further) {
    std::vector<Column> columns = {{"snapshot", "snapshot", Unit::Name}, {"device", "device", Unit::Number}};
    columns.insert(columns.end(), std::make_move_iterator(further.begin()), std::make_move_iterator(further.end()));
    return {std::move(name), std::move(columns), {}};
}

/// A stack in one cell: its frames, innermost first, with the separator of text lists.
std::string framesText(const MemorySnapshot& snapshot, std::uint32_t stack) {
    std::string text;
    for (const std::string& frame : frameTexts(snapshot, stack)) {
        text += (text.empty() ? "" : " | ") + frame;
    }
    return text;
}

void addStacks(const ReportedSnapshot& of, const DeviceSnapshot& device, std::string_view when,
               const std::vector<StackMemory>& stacks, DataTable& table) {
    for (std::size_t s = 0; s < std::min(kStackRows, stacks.size()); ++s) {
        const StackMemory& stack = stacks[s];
        table.rows.push_back({of.snapshot->path, device.device, textCell(when), stack.bytes, numberCell(stack.blocks),
                              stack.largest, textCell(memoryPartName(stack.part)),
                              textCell(stackTitle(*of.snapshot, stack.stack)),
                              textCell(framesText(*of.snapshot, stack.stack))});
    }
}

std::string_view stateName(BlockState state) {
    switch (state) {
        case BlockState::Allocated: return "allocated";
        case BlockState::PendingFree: return "pending-free";
        case BlockState::Inactive: return "inactive";
        case BlockState::Unknown: return "unknown";
    }
    return "unknown";
}

}  // namespace

std::string snapshotTitle(const ReportedSnapshot& snapshot) {
    return "Memory snapshot " + std::filesystem::path(snapshot.snapshot->path).filename().string();
}

std::vector<std::string> snapshotLines(const ReportedSnapshot& snapshot) {
    std::vector<std::string> lines;
    for (const DeviceSnapshot& device : snapshot.facts->devices) {
        lines.push_back(heldText(device));
        if (std::string peak = peakText(device); !peak.empty()) {
            lines.push_back(std::move(peak));
        }
    }
    if (snapshot.facts->devices.empty()) {
        lines.emplace_back("The snapshot has no segments: nothing was allocated on a GPU.");
    }
    if (!snapshot.facts->has_stacks) {
        lines.emplace_back(
            "No stacks were recorded, so the use of memory is not known. Call "
            "torch.cuda.memory._record_memory_history() before the model is built.");
    } else if (!snapshot.facts->has_history) {
        lines.emplace_back("No history was recorded: all figures are from the moment of the snapshot.");
    }
    for (const std::string& advice : snapshotAdvice(*snapshot.facts)) {
        lines.push_back("Do: " + advice);
    }
    return lines;
}

Table snapshotDevices(const ReportedSnapshot& snapshot) {
    Table table;
    table.header = {"device",        "reserved", "allocated",    "rounding", "pending free", "free in used segments",
                    "free segments", "unlisted", "fragmentation"};
    for (const DeviceSnapshot& device : snapshot.facts->devices) {
        table.rows.push_back({fmt::format("{}", device.device), bytesText(device.reserved), bytesText(device.allocated),
                              bytesText(device.allocated - device.requested), bytesText(device.pending),
                              bytesText(device.split), bytesText(device.free_segments), bytesText(device.unlisted),
                              formatPercent(device.fragmentation())});
    }
    return table;
}

Table snapshotParts(const ReportedSnapshot& snapshot) {
    Table table;
    table.header = {"device", "use", "in use", "of it", "at the peak", "of it"};
    table.left_columns = 2;
    for (const DeviceSnapshot& device : snapshot.facts->devices) {
        for (std::size_t p = 0; p < kMemoryParts; ++p) {
            const std::int64_t now = device.parts.bytes[p];
            const std::int64_t then = device.peak ? device.peak->parts.bytes[p] : 0;
            if (now == 0 && then == 0) {
                continue;
            }
            table.rows.push_back({fmt::format("{}", device.device),
                                  std::string(memoryPartTitle(static_cast<MemoryPart>(p))), bytesText(now),
                                  shareText(now, device.parts.total()), device.peak ? bytesText(then) : "-",
                                  device.peak ? shareText(then, device.peak->active) : "-"});
        }
    }
    return table;
}

std::string snapshotNote() {
    return "The stacks that requested memory show its use. Gradients are what the backward requested, including its "
           "temporary memory if the snapshot was taken in it. Fragmentation is free memory in used segments over "
           "reserved memory.";
}

Table snapshotStacks(const ReportedSnapshot& snapshot, std::size_t rows) {
    Table table;
    table.header = {"device", "requested by", "use", "bytes", "blocks", "largest"};
    table.left_columns = 3;
    for (const DeviceSnapshot& device : snapshot.facts->devices) {
        for (std::size_t s = 0; s < std::min(rows, device.stacks.size()); ++s) {
            const StackMemory& stack = device.stacks[s];
            const std::string title = stackTitle(*snapshot.snapshot, stack.stack);
            table.rows.push_back({fmt::format("{}", device.device),
                                  title.empty() ? "no stack" : shortName(printable(title)),
                                  std::string(memoryPartTitle(stack.part)), bytesText(stack.bytes),
                                  formatCount(stack.blocks), bytesText(stack.largest)});
        }
    }
    return table;
}

DataTable snapshotDevicesTable(const ReportedSnapshot& snapshot) {
    std::vector<Column> columns = {{"reserved_bytes", "reserved", Unit::Bytes},
                                   {"allocated_bytes", "allocated", Unit::Bytes},
                                   {"requested_bytes", "requested", Unit::Bytes},
                                   {"pending_bytes", "pending free", Unit::Bytes},
                                   {"split_bytes", "free in used segments", Unit::Bytes},
                                   {"free_segment_bytes", "free segments", Unit::Bytes},
                                   {"unlisted_bytes", "unlisted", Unit::Bytes},
                                   {"largest_free_bytes", "largest free", Unit::Bytes},
                                   {"fragmentation", "fragmentation", Unit::Share},
                                   {"segments", "segments", Unit::Count},
                                   {"blocks", "blocks", Unit::Count},
                                   {"peak_bytes", "peak", Unit::Bytes}};
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        const std::string_view name = memoryPartName(static_cast<MemoryPart>(p));
        columns.push_back({std::string(name) + "_bytes", std::string(name), Unit::Bytes});
    }
    DataTable table = namedTable("memory_snapshots", std::move(columns));
    for (const DeviceSnapshot& device : snapshot.facts->devices) {
        std::vector<Cell> row = {snapshot.snapshot->path,
                                 device.device,
                                 device.reserved,
                                 device.allocated,
                                 device.requested,
                                 device.pending,
                                 device.split,
                                 device.free_segments,
                                 device.unlisted,
                                 device.largest_free,
                                 device.fragmentation(),
                                 numberCell(device.segment_count),
                                 numberCell(device.block_count),
                                 device.peak ? Cell(device.peak->active) : Cell()};
        row.insert(row.end(), device.parts.bytes.begin(), device.parts.bytes.end());
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable snapshotStacksTable(const ReportedSnapshot& snapshot) {
    DataTable table = namedTable("memory_stacks", {{"when", "when", Unit::Word},
                                                   {"bytes", "bytes", Unit::Bytes},
                                                   {"blocks", "blocks", Unit::Count},
                                                   {"largest_bytes", "largest", Unit::Bytes},
                                                   {"part", "use", Unit::Word},
                                                   {"title", "requested by", Unit::Name},
                                                   {"frames", "frames", Unit::Name}});
    for (const DeviceSnapshot& device : snapshot.facts->devices) {
        addStacks(snapshot, device, "now", device.stacks, table);
        if (device.peak) {
            addStacks(snapshot, device, "peak", device.peak->stacks, table);
        }
    }
    return table;
}

DataTable snapshotSegmentsTable(const ReportedSnapshot& snapshot) {
    DataTable table = namedTable("memory_segments", {{"address", "address", Unit::Name},
                                                     {"bytes", "bytes", Unit::Bytes},
                                                     {"allocated_bytes", "allocated", Unit::Bytes},
                                                     {"inactive_bytes", "free", Unit::Bytes},
                                                     {"blocks", "blocks", Unit::Count},
                                                     {"pool", "pool", Unit::Word},
                                                     {"stream", "stream", Unit::Number},
                                                     {"expandable", "expandable", Unit::Flag},
                                                     {"private_pool", "of a pool of its own", Unit::Flag}});
    const MemorySnapshot& from = *snapshot.snapshot;
    for (const DeviceSnapshot& device : snapshot.facts->devices) {
        for (const std::uint32_t place : device.segments) {
            const SnapshotSegment& segment = from.segments[place];
            std::int64_t allocated = 0;
            std::int64_t inactive = 0;
            for (std::uint32_t b = 0; b < segment.block_count; ++b) {
                const SnapshotBlock& block = from.blocks[segment.first_block + b];
                allocated += block.state == BlockState::Allocated ? block.bytes : 0;
                inactive += block.state == BlockState::Inactive ? block.bytes : 0;
            }
            table.rows.push_back({from.path, device.device, fmt::format("0x{:x}", segment.address), segment.total,
                                  allocated, inactive, numberCell(segment.block_count),
                                  textCell(from.strings.view(segment.pool)), numberCell(segment.stream),
                                  segment.expandable, segment.private_pool});
        }
    }
    return table;
}

DataTable snapshotBlocksTable(const ReportedSnapshot& snapshot) {
    DataTable table = namedTable("memory_blocks", {{"address", "address", Unit::Name},
                                                   {"bytes", "bytes", Unit::Bytes},
                                                   {"requested_bytes", "requested", Unit::Bytes},
                                                   {"state", "state", Unit::Word},
                                                   {"part", "use", Unit::Word},
                                                   {"title", "requested by", Unit::Name},
                                                   {"frames", "frames", Unit::Name}});
    const MemorySnapshot& from = *snapshot.snapshot;
    for (const DeviceSnapshot& device : snapshot.facts->devices) {
        for (const std::uint32_t place : device.largest) {
            const SnapshotBlock& block = from.blocks[place];
            table.rows.push_back({from.path, device.device, fmt::format("0x{:x}", block.address), block.bytes,
                                  block.requested, textCell(stateName(block.state)),
                                  textCell(memoryPartName(partOfStack(from, block.stack))),
                                  textCell(stackTitle(from, block.stack)), textCell(framesText(from, block.stack))});
        }
    }
    return table;
}

}  // namespace rankscope::report
