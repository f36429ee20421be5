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

/// A use of memory, or a kind of memory that is not used.
using MemoryUse = std::variant<MemoryPart, FreeMemory>;
/// The same for people: "Activations", "Free beside others".
[[nodiscard]] QString useTitle(const MemoryUse& use);
[[nodiscard]] QColor useColour(const MemoryUse& use, const Theme& theme);

/// A stretch of a bar of memory, and a line of the table below it.
struct MemoryShare {
    MemoryUse use;
    std::int64_t bytes = 0;
    std::optional<std::int64_t> at_peak;  ///< of a snapshot: the same at the peak of its history
};

/// Where a row leads on the timeline: to a slice, else to a stretch of the rank's time, on the clock of its file.
struct MemoryTarget {
    SliceRef slice;
    TimeSpan span;
};

/// One of the tables of a page.
struct MemoryTable {
    QString title;
    std::shared_ptr<const report::DataTable> rows;
    std::vector<MemoryTarget> targets;  ///< as `rows`; empty where none leads anywhere
    /// As `rows`: the frames of the allocating stack, innermost first; empty where no stacks are known.
    std::vector<QStringList> frames;
};

/// All that is said of the memory of one device: at the peak of a rank, or in a snapshot. Knows no theme.
struct MemoryPage {
    QString title;
    bool of_run = false;                 ///< else of a snapshot
    QString when;                        ///< of a peak: "in step 5, in the backward"
    MemoryTarget peak;                   ///< where that is
    std::vector<MemoryShare> parts;      ///< of what is in use: adds up to `in_use`
    std::vector<MemoryShare> unused;     ///< of what is reserved, and what of the device the allocator does not have
    std::int64_t in_use = 0;             ///< allocated; of a snapshot also what waits to be freed
    std::int64_t reserved = 0;           ///< the same and what of `unused` the allocator has
    std::int64_t capacity = 0;           ///< of the device; 0 where that is not known
    std::optional<std::int64_t> active;  ///< of a snapshot: in use at the peak of its history
    report::RunMemoryFormula formula;
    QStringList notes;   ///< sentences: what else is known, and what is unknown
    QStringList advice;  ///< what to do, sentences
    std::vector<MemoryTable> tables;
};

/// The memory of one device of a rank at its peak: MemoryFacts::ranks[rank][device].
[[nodiscard]] MemoryPage peakPage(const AnalysedRun& run, RankPosition rank, std::size_t device);
/// The memory of one device of a snapshot: SnapshotFacts::devices[device]. `capacity`: of the device in bytes; 0 where
/// it is not known.
[[nodiscard]] MemoryPage snapshotPage(const OpenSnapshot& snapshot, std::size_t device, std::int64_t capacity);
/// Of a run without memory events: why, what to record, and what the formula gives.
[[nodiscard]] MemoryPage emptyPage(const AnalysedRun& run);
/// How much memory a device of a rank has, in bytes; 0 where the file does not say.
[[nodiscard]] std::int64_t capacityOf(const AnalysedRun& run, RankPosition rank, std::int32_t device);

}  // namespace rankscope::ui
