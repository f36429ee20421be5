// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/panels/memory/memory_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {

/// Where the link leads that shows the peak on the timeline.
inline constexpr const char* kPeakLink = "peak";

/// Where the link leads with which the user says how large the model is.
inline constexpr const char* kJobLink = "job";

/// What is in use, a part each, for a bar.
[[nodiscard]] std::vector<BarPart> partsOfPage(const MemoryPage& page, const Theme& theme);
/// What is in use, what the allocator has beside it, and what is left on the device, for a bar.
[[nodiscard]] std::vector<BarPart> limitOfPage(const MemoryPage& page, const Theme& theme);
/// HTML: the parts with their shares and the formula's values, what is unknown, and what to do. `frames`: the chosen
/// stack, shown first; empty for none.
[[nodiscard]] QString memoryHtml(const MemoryPage& page, const QStringList& frames, const Theme& theme);

}  // namespace rankscope::ui
