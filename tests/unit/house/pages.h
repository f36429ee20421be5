// SPDX-License-Identifier: GPL-3.0-or-later
// The rules for pages in Markdown: what they lead to is there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/unit/house/rules.h"

namespace rankscope::test {

/// Whether a file or folder is there, by its path from the root of the source.
using IsThere = std::function<bool(const std::string&)>;

/// The anchors of a page's headings, in their order, as GitHub makes them: "What `x` is" has "what-x-is", and the
/// second heading of the same words "what-x-is-1".
std::vector<std::string> anchorsOf(const SourceFile& page);

/// Relative links of a page that lead to nothing: to no file, or to no heading of one of `pages`. Links to elsewhere
/// ("https:") and code are left alone.
Violations brokenLinks(const SourceFile& page, const std::vector<SourceFile>& pages, const IsThere& is_there);

/// Paths in backticks that are not there: texts with a slash and no space, like `core/base/time.h`.
Violations missingPaths(const SourceFile& page, const IsThere& is_there);

/// Commands and options of `./dev` in a page, code included, that the usage in the script `dev` does not have.
Violations unknownCommands(const SourceFile& page, const SourceFile& dev);

/// Pages of the folder of `index` that it has no link to.
Violations pagesNotIn(const SourceFile& index, const std::vector<SourceFile>& pages);

/// Fields of the JSON report (texts of `schema` like "idle_ns":) that the other pages of the folder of `index` have in
/// backticks, and the index has not. Only names of several words count: "value" is an English word too.
Violations fieldsNotIn(const SourceFile& index, const std::vector<SourceFile>& pages, const SourceFile& schema);

}  // namespace rankscope::test
