// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/memory/memory_page.h"

#include <QObject>
#include <algorithm>

#include "core/report/tables/memory_summary.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {

QString useTitle(const MemoryUse& use) {
    if (const auto* part = std::get_if<MemoryPart>(&use)) {
        return coreText(memoryPartTitle(*part));
    }
    switch (std::get<FreeMemory>(use)) {
        case FreeMemory::Stuck: return QObject::tr("Fragmented");
        case FreeMemory::Cache: return QObject::tr("Cache, in no tensor");
        case FreeMemory::Segments: return QObject::tr("Free segments");
        case FreeMemory::Untold: return QObject::tr("Segments, unknown");
        case FreeMemory::Left: return QObject::tr("Free on the GPU");
    }
    return {};
}

QColor useColour(const MemoryUse& use, const Theme& theme) {
    return std::visit([&theme](auto of) { return colourOf(of, theme); }, use);
}

std::int64_t capacityOf(const AnalysedRun& run, RankPosition rank, std::int32_t device) {
    const std::vector<DeviceProperties>& devices = run.run->ranks[rank]->devices;
    const auto at = std::ranges::find(devices, device, &DeviceProperties::id);
    return at == devices.end() ? 0 : static_cast<std::int64_t>(at->total_memory_bytes);
}

MemoryPage emptyPage(const AnalysedRun& run) {
    MemoryPage page;
    page.of_run = true;
    page.formula = report::runMemoryFormula(run.facts);
    if (page.formula.parameters) {
        page.parts = {
            {MemoryPart::Parameters, 0, {}}, {MemoryPart::Gradients, 0, {}}, {MemoryPart::OptimizerState, 0, {}}};
    }
    for (const std::string& line : report::memoryLines(run)) {
        page.notes << coreText(line);
    }
    page.title = page.notes.isEmpty() ? QObject::tr("No memory was recorded") : QObject::tr("Memory use unknown");
    if (page.notes.isEmpty()) {
        page.notes << QObject::tr(
            "To see what uses GPU memory, record with profile_memory=True, or drop a file of "
            "torch.cuda.memory._dump_snapshot() on the window.");
    }
    return page;
}

}  // namespace rankscope::ui
