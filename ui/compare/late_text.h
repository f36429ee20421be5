// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/compare/compared_runs.h"
#include "ui/compare/lookup.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// Of a rank that held the others up in one run: what it did by itself there, and what it does in the other, as HTML.
[[nodiscard]] QString lateHtml(const ComparedRuns& runs, const FoundPair& pair, const Theme& theme);

}  // namespace rankscope::ui
