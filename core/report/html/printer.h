// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/report/blocks/block.h"
#include "core/report/html/sections.h"

// Lays out blocks on a page. Private to core/report.
namespace rankscope::report {

/// The blocks, without a title.
[[nodiscard]] std::string htmlOf(const std::vector<Block>& blocks);
/// A part as a section; `key` is its id in the page.
[[nodiscard]] Section sectionOf(const std::string& key, const Part& part);
/// A folded section: the content before it has the answer and links to its details. Empty if it has no content.
[[nodiscard]] std::string sectionHtml(const Section& section, const std::string& prefix, bool is_open = false);

}  // namespace rankscope::report
