// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/shared/job_choice.h"
#include "ui/window/session/timeline_document.h"

namespace rankscope::ui {

/// What a session keeps of what the user says of a job: only what is said. Numbers with decimals are texts, since a
/// session has no others.
[[nodiscard]] Json jobJson(const JobChoice& job);
/// Reads what jobJson() wrote; numbers that cannot be are left out. Throws Json::exception where a field does not hold
/// what it should.
[[nodiscard]] JobChoice jobFromJson(const Json& json);

}  // namespace rankscope::ui
