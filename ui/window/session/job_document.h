// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/shared/job_choice.h"
#include "ui/window/session/timeline_document.h"

namespace rankscope::ui {

/// The user's entries about a job for a session: only those that were made. Numbers with decimals are texts, since a
/// session has only integers.
[[nodiscard]] Json jobJson(const JobChoice& job);
/// Reads the result of jobJson(); impossible numbers are left out. Throws Json::exception if a field has the wrong
/// type.
[[nodiscard]] JobChoice jobFromJson(const Json& json);

}  // namespace rankscope::ui
