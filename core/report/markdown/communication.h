// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/analysed_run.h"

namespace rankscope::report {

/// A part of the report that is folded.
struct MarkdownPart {
    std::string title;
    std::string content;  ///< Markdown
};

/// How fast ranks communicate, how much of it they hide, and each fact of the ranks over all of them: those of the
/// three that are told.
[[nodiscard]] std::vector<MarkdownPart> communicationMarkdown(const AnalysedRun& run);

}  // namespace rankscope::report
