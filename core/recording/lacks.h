// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// A question to a recording, and whether it answers it.
struct Answerable {
    std::string question;  ///< "Which rank is late?"
    bool is_answered = false;
    std::string because;  ///< what the recording has, or lacks: "2 of 4 ranks have no file"
    std::string add;      ///< what to record; empty if nothing is missing
};

/// What a recording can answer and what it cannot, in the order of importance. Linear in slices.
[[nodiscard]] std::vector<Answerable> answersOf(const AnalysedRun& run);

/// The same as lines for people, what is missing first, with what to record.
[[nodiscard]] std::string answersText(const AnalysedRun& run);

}  // namespace rankscope
