// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/panels/memory_page.h"
#include "ui/panels/stacked_bar.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// Where the link leads that shows the peak on the timeline.
inline constexpr const char* kPeakLink = "peak";

/// Where the link leads with which the user says how large the model is.
inline constexpr const char* kJobLink = "job";

/// What is in use, a part each, for a bar.
[[nodiscard]] std::vector<BarPart> partsOfPage(const MemoryPage& page, const Theme& theme);
/// What is in use, what the allocator has beside it, and what is left on the device, for a bar.
[[nodiscard]] std::vector<BarPart> limitOfPage(const MemoryPage& page, const Theme& theme);
/// The parts with their shares beside the formula's values, what cannot be told, and what to do, as HTML. `frames`: the
/// stack that is chosen, which stands first; empty for none.
[[nodiscard]] QString memoryHtml(const MemoryPage& page, const QStringList& frames, const Theme& theme);

}  // namespace rankscope::ui
