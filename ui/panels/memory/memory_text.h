// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/panels/memory/memory_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {

/// The link that shows the peak on the timeline.
inline constexpr const char* kPeakLink = "peak";

/// The link with which the user enters the size of the model.
inline constexpr const char* kJobLink = "job";

/// The memory in use, one part per use, for a bar.
[[nodiscard]] std::vector<BarPart> partsOfPage(const MemoryPage& page, const Theme& theme);
/// The memory in use, the rest of the allocator's memory, and the rest of the device's memory, for a bar.
[[nodiscard]] std::vector<BarPart> limitOfPage(const MemoryPage& page, const Theme& theme);
/// HTML: the parts with their shares and the formula's values, what is unknown, and what to do. `frames`: the chosen
/// stack, shown first; empty for none.
[[nodiscard]] QString memoryHtml(const MemoryPage& page, const QStringList& frames, const Theme& theme);

}  // namespace rankscope::ui
