// SPDX-License-Identifier: GPL-3.0-or-later
#include <QObject>
#include <algorithm>
#include <utility>

#include "core/analysis/memory/memory_advice.h"
#include "core/base/format.h"
#include "core/report/tables/memory_summary.h"
#include "ui/panels/memory/memory_page.h"
#include "ui/panels/memory/memory_rows.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

using report::Cell;
using report::DataTable;
using report::Unit;

/// From this share on, reserved memory in no tensor is reported: every allocator leaves a smaller share.
constexpr double kMuchUnused = 0.1;

QString whenText(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory) {
    const QString phase = coreText(phaseName(memory.phase));
    if (!memory.step) {
        return memory.phase == Phase::Other ? QObject::tr("between steps") : QObject::tr("in the %1").arg(phase);
    }
    const QString step = QString::number(run.facts.ranks[rank].steps[*memory.step].index);
    return memory.phase == Phase::Other ? QObject::tr("in step %1").arg(step)
                                        : QObject::tr("in step %1, in the %2").arg(step, phase);
}

/// The operator that requested the block that reached the peak; otherwise the step that contains it.
MemoryTarget peakTarget(const RankFacts& facts, const MemoryAtPeak& memory) {
    const auto last = std::ranges::find_if(memory.largest, [&](const PeakBlock& block) {
        return block.allocated_ns == memory.at_ns && block.slice.valid();
    });
    if (last != memory.largest.end()) {
        return {last->slice, {}};
    }
    return {{}, memory.step ? facts.steps[*memory.step].host : TimeSpan{memory.at_ns, memory.at_ns + 1}};
}

QString nameOr(const std::string& name) {
    return name.empty() ? QObject::tr("Before the window, or unknown") : text(name);
}

MemoryTable operatorsOf(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory) {
    const auto rows = shownRows(report::memoryOperatorsTable(run, rank, memory),
                                {"operator", "part", "bytes", "blocks", "largest_bytes"});
    MemoryTable table{QObject::tr("Operators"), rows, {}, {}};
    for (std::size_t i = 0; i < memory.operators.size(); ++i) {
        rows->rows[i].front() = nameOr(memory.operators[i].name).toStdString();
        table.targets.push_back({memory.operators[i].slice, {}});
    }
    return table;
}

Cell timeOf(const AnalysedRun& run, RankPosition rank, const std::optional<TimeNs>& at_ns) {
    return at_ns ? Cell(run.clock.ranks[rank].toRun(FileTime(*at_ns)) - run.clock.base_ns) : Cell();
}

MemoryTable peakBlocksOf(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory) {
    const auto rows = std::make_shared<DataTable>(DataTable{"memory_peak_blocks",
                                                            {{"name", "Requested by", Unit::Name},
                                                             {"part", "Purpose", Unit::Word},
                                                             {"bytes", "Bytes", Unit::Bytes},
                                                             {"allocated_ns", "Allocated at", Unit::Duration},
                                                             {"freed_ns", "Freed at", Unit::Duration}},
                                                            {}});
    MemoryTable table{QObject::tr("Largest Blocks"), rows, {}, {}};
    for (const PeakBlock& block : memory.largest) {
        const std::string name(block.slice.valid() ? run.run->ranks[rank]->name(block.slice) : std::string_view());
        rows->rows.push_back({nameOr(name).toStdString(), report::textCell(memoryPartTitle(block.part)), block.bytes,
                              timeOf(run, rank, block.allocated_ns), timeOf(run, rank, block.freed_ns)});
        table.targets.push_back({block.slice, {}});
    }
    return table;
}

/// A checkpoint links to its step; one outside of steps, to the span that it ends, or to the recorded window if that
/// span is only an instant.
MemoryTable checkpointsOf(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory) {
    const auto rows = shownRows(report::memoryCheckpointsTable(run, rank, memory),
                                {"label", "at_ns", "allocated_bytes", "reserved_bytes", "peak_bytes", "delta_bytes"});
    MemoryTable table{QObject::tr("Checkpoints"), rows, {}, {}};
    const TimeSpan window = run.run->ranks[rank]->window;
    TimeNs before_ns = window.start_ns;
    for (const MemoryCheckpoint& point : memory.checkpoints) {
        if (point.step) {
            const RankStep& step = run.facts.ranks[rank].steps[*point.step];
            table.targets.push_back({step.mark, step.host});
        } else {
            const TimeSpan stretch{before_ns, point.at_ns};
            table.targets.push_back({{}, stretch.empty() ? window : stretch});
        }
        before_ns = point.at_ns;
    }
    return table;
}

void addUnusedNote(const RankFacts& facts, std::int32_t device, MemoryPage& page) {
    const auto at = std::ranges::find(facts.memory, device, &DeviceMemory::device);
    if (at != facts.memory.end() && at->peak.unusedShare() >= kMuchUnused) {
        page.notes << QObject::tr(
                          "At the reserved peak of %1, %2 was in no tensor: cache and fragments. A snapshot separates "
                          "the two.")
                          .arg(unbroken(text(formatBytes(static_cast<std::uint64_t>(at->peak.reserved_bytes)))),
                               unbroken(text(formatPercent(at->peak.unusedShare()))));
    }
}

}  // namespace

MemoryPage peakPage(const AnalysedRun& run, RankPosition rank, std::size_t device) {
    const RankFacts& facts = run.facts.ranks[rank];
    const MemoryAtPeak& memory = run.facts.memory.ranks[rank][device];
    MemoryPage page;
    page.of_run = true;
    page.in_use = memory.allocated;
    page.reserved = memory.reserved;
    page.capacity = capacityOf(run, rank, memory.device);
    page.title = QObject::tr("%1: %2 at the peak")
                     .arg(rankName(*run.run, rank), text(formatBytes(static_cast<std::uint64_t>(memory.allocated))));
    page.when = whenText(run, rank, memory);
    page.peak = peakTarget(facts, memory);
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        page.parts.push_back({static_cast<MemoryPart>(p), memory.parts.bytes.at(p), {}});
    }
    page.unused.push_back({FreeMemory::Cache, memory.cache(), {}});
    page.unused.push_back({FreeMemory::Left, std::max<std::int64_t>(0, page.capacity - memory.reserved), {}});
    page.formula = report::runMemoryFormula(run.facts);
    for (const std::string& doubt : report::memoryDoubts(facts, memory)) {
        page.notes << coreText(doubt);
    }
    addUnusedNote(facts, memory.device, page);
    if (const std::string_view remedy = memoryRemedy(dominantPart(memory.parts)); !remedy.empty()) {
        page.advice << coreText(remedy);
    }
    page.tables = {operatorsOf(run, rank, memory), peakBlocksOf(run, rank, memory), checkpointsOf(run, rank, memory)};
    std::erase_if(page.tables, [](const MemoryTable& table) { return table.rows->rows.empty(); });
    return page;
}

}  // namespace rankscope::ui
