// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "core/report/tables/data_table.h"
#include "core/report/tables/memory_summary.h"
#include "ui/panels/memory/open_snapshots.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {

/// A use of memory, or a kind of unused memory.
using MemoryUse = std::variant<MemoryPart, FreeMemory>;
/// The same for people: "Activations", "Free beside others".
[[nodiscard]] QString useTitle(const MemoryUse& use);
[[nodiscard]] QColor useColour(const MemoryUse& use, const Theme& theme);

/// A part of a bar of memory, and a line of the table below it.
struct MemoryShare {
    MemoryUse use;
    std::int64_t bytes = 0;
    std::optional<std::int64_t> at_peak;  ///< for a snapshot: the same at the peak of its history
};

/// The target of a row on the timeline: a slice, else a span of the rank's time, on the clock of its file.
struct MemoryTarget {
    SliceRef slice;
    TimeSpan span;
};

/// One of the tables of a page.
struct MemoryTable {
    QString title;
    std::shared_ptr<const report::DataTable> rows;
    std::vector<MemoryTarget> targets;  ///< one per row; empty if no row has a target
    /// One per row: the frames of the allocating stack, innermost first; empty if no stacks are known.
    std::vector<QStringList> frames;
};

/// The content of the page for one device: at the peak of a rank, or in a snapshot. Independent of the theme.
struct MemoryPage {
    QString title;
    bool of_run = false;                 ///< page of a run, otherwise of a snapshot
    QString when;                        ///< for a peak: "in step 5, in the backward"
    MemoryTarget peak;                   ///< the place of the peak
    std::vector<MemoryShare> parts;      ///< parts of the memory in use: they add up to `in_use`
    std::vector<MemoryShare> unused;     ///< parts of the reserved memory that is not in use, and of the device's
                                         ///< memory that the allocator has not reserved
    std::int64_t in_use = 0;             ///< allocated; for a snapshot also what waits to be freed
    std::int64_t reserved = 0;           ///< the same plus the allocator's part of `unused`
    std::int64_t capacity = 0;           ///< capacity of the device; 0 if unknown
    std::optional<std::int64_t> active;  ///< for a snapshot: in use at the peak of its history
    report::RunMemoryFormula formula;
    QStringList notes;   ///< sentences: other facts, and what is unknown
    QStringList advice;  ///< index in MemoryFacts::ranks[rank], or in SnapshotFacts::devices
    std::vector<MemoryTable> tables;
};

/// The memory of one device of a rank at its peak: MemoryFacts::ranks[rank][device].
[[nodiscard]] MemoryPage peakPage(const AnalysedRun& run, RankPosition rank, std::size_t device);
/// The memory of one device of a snapshot: SnapshotFacts::devices[device]. `capacity`: of the device in bytes; 0 if it
/// is not known.
[[nodiscard]] MemoryPage snapshotPage(const OpenSnapshot& snapshot, std::size_t device, std::int64_t capacity);
/// For a run without memory events: why, what to record, and what the formula gives.
[[nodiscard]] MemoryPage emptyPage(const AnalysedRun& run);
/// The memory of a rank's device, in bytes; 0 if the file does not have it.
[[nodiscard]] std::int64_t capacityOf(const AnalysedRun& run, RankPosition rank, std::int32_t device);

}  // namespace rankscope::ui
