// SPDX-License-Identifier: GPL-3.0-or-later
#include <QObject>
#include <algorithm>
#include <utility>

#include "core/analysis/memory/memory_advice.h"
#include "core/base/format.h"
#include "core/report/reports.h"
#include "core/report/words/snapshot_summary.h"
#include "ui/panels/memory/memory_page.h"
#include "ui/panels/memory/memory_rows.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

using report::Cell;
using report::DataTable;

const QString kBetweenFrames = QStringLiteral(" | ");  // same as in the tables of reports

/// The rows of a device, and of one moment if there are several.
DataTable rowsOfDevice(DataTable table, std::int32_t device, const std::string& when = {}) {
    const auto column = [&table](std::string_view key) {
        return static_cast<std::size_t>(std::ranges::find(table.columns, key, &report::Column::key) -
                                        table.columns.begin());
    };
    const std::size_t of_device = column("device");
    const std::size_t of_when = column("when");
    std::erase_if(table.rows, [&](const std::vector<Cell>& row) {
        return row[of_device] != Cell(device) || (!when.empty() && row[of_when] != Cell(when));
    });
    return table;
}

/// Frames of each row; a row without a name has no stack.
std::vector<QStringList> framesOf(const DataTable& table, DataTable& shown) {
    const DataTable frames = table.only({"frames"});
    std::vector<QStringList> all;
    for (std::size_t row = 0; row < frames.rows.size(); ++row) {
        const auto* said = std::get_if<std::string>(&frames.rows[row].front());
        all.push_back(said == nullptr ? QStringList() : text(*said).split(kBetweenFrames));
        if (std::holds_alternative<std::monostate>(shown.rows[row].front())) {
            shown.rows[row].front() = QObject::tr("No stack").toStdString();
        }
    }
    return all;
}

MemoryTable stacksOf(const QString& title, const ReportedSnapshot& of, std::int32_t device, const std::string& when) {
    const DataTable rows = rowsOfDevice(report::snapshotStacksTable(of), device, when);
    const auto shown = shownRows(rows, {"title", "part", "bytes", "blocks", "largest_bytes"});
    return {title, shown, {}, framesOf(rows, *shown)};
}

MemoryTable snapshotBlocksOf(const ReportedSnapshot& of, std::int32_t device) {
    const DataTable rows = rowsOfDevice(report::snapshotBlocksTable(of), device);
    const auto shown = shownRows(rows, {"title", "part", "bytes", "requested_bytes", "address"});
    shown->columns.back().unit = report::Unit::Word;  // the first column is the name of the row
    return {QObject::tr("Largest Blocks"), shown, {}, framesOf(rows, *shown)};
}

/// What is special about a segment, in words.
std::string kindOfSegment(const std::vector<Cell>& row, std::size_t expandable, std::size_t own_pool) {
    QStringList kinds;
    if (row[expandable] == Cell(true)) {
        kinds << QObject::tr("expandable");
    }
    if (row[own_pool] == Cell(true)) {
        kinds << QObject::tr("private pool");
    }
    return kinds.join(QStringLiteral(", ")).toStdString();
}

MemoryTable segmentsOf(const ReportedSnapshot& of, std::int32_t device) {
    const DataTable rows = rowsOfDevice(report::snapshotSegmentsTable(of), device);
    const auto shown = shownRows(rows, {"address", "pool", "bytes", "allocated_bytes", "inactive_bytes", "blocks"});
    shown->columns.push_back({"kind", "Kind", report::Unit::Text});
    const DataTable kinds = rows.only({"expandable", "private_pool"});
    for (std::size_t row = 0; row < shown->rows.size(); ++row) {
        shown->rows[row].push_back(report::textCell(kindOfSegment(kinds.rows[row], 0, 1)));
    }
    return {QObject::tr("Segments"), shown, {}, {}};
}

/// The notes on a device, and on the snapshot as a whole; the advice is separate.
QStringList notesOf(const ReportedSnapshot& of, std::int32_t device) {
    QStringList notes;
    for (const std::string& line : report::snapshotLines(of)) {
        const bool of_another =
            line.starts_with("Device ") && !line.starts_with("Device " + std::to_string(device) + ":");
        if (!line.starts_with("Do: ") && !of_another) {
            notes << coreText(line);
        }
    }
    return notes;
}

}  // namespace

MemoryPage snapshotPage(const OpenSnapshot& snapshot, std::size_t device, std::int64_t capacity) {
    const ReportedSnapshot of{&snapshot.snapshot, &snapshot.facts};
    MemoryPage page;
    page.title = snapshotName(snapshot);
    page.notes = notesOf(of, device < snapshot.facts.devices.size() ? snapshot.facts.devices[device].device : 0);
    for (const std::string& advice : snapshotAdvice(snapshot.facts)) {
        page.advice << coreText(advice);
    }
    if (device >= snapshot.facts.devices.size()) {
        return page;
    }
    const DeviceSnapshot& memory = snapshot.facts.devices[device];
    page.title =
        QObject::tr("%1: %2 in use")
            .arg(page.title,
                 text(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, memory.parts.total())))));
    page.in_use = memory.parts.total();
    page.reserved = memory.reserved;
    page.capacity = capacity;
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        page.parts.push_back({static_cast<MemoryPart>(p), memory.parts.bytes.at(p),
                              memory.peak ? std::optional(memory.peak->parts.bytes.at(p)) : std::nullopt});
    }
    page.unused = {{FreeMemory::Stuck, memory.split, {}},
                   {FreeMemory::Segments, memory.free_segments, {}},
                   {FreeMemory::Untold, memory.unlisted, {}},
                   {FreeMemory::Left, std::max<std::int64_t>(0, capacity - memory.reserved), {}}};
    page.active = memory.peak ? std::optional(memory.peak->active) : std::nullopt;
    page.tables.push_back(stacksOf(QObject::tr("Stacks"), of, memory.device, "now"));
    if (memory.peak) {
        page.tables.push_back(stacksOf(QObject::tr("Stacks at the Peak"), of, memory.device, "peak"));
    }
    page.tables.push_back(snapshotBlocksOf(of, memory.device));
    page.tables.push_back(segmentsOf(of, memory.device));
    return page;
}

}  // namespace rankscope::ui
