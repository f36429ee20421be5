// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The legend of the window's colours, as a page of HTML: those of slices, overlays, the parts of a step, and the
/// overview, each beside a patch of it.
[[nodiscard]] QString legendHtml(const Theme& theme);

/// What slows training down, as a page of HTML: a row for each kind of finding with what it looks like on the timeline,
/// what it is and what to do, and the number of places where the open runs have it, as a link to findingOfLink().
[[nodiscard]] QString quickReferenceHtml(const OpenRuns& runs, const Theme& theme);

/// The finding that a link of the page leads to; nothing for other texts.
[[nodiscard]] std::optional<FindingSelection> findingOfLink(const QString& link);

}  // namespace rankscope::ui
