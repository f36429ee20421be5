// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the house that a compiler does not hold: which folder may see which, and what each file must have.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace rankscope::test {

struct SourceFile {
    std::string path;  // from the root of the source, with forward slashes
    std::vector<std::string> lines;
};

/// One thing wrong, as "path:line: what" (line 1 is the first).
using Violations = std::vector<std::string>;

/// What one folder may include of the project's own headers, besides those of the folder itself. A name allows the
/// folder and all below it. The longest `folder` that a path lies in is the one that counts.
struct Arrow {
    std::string folder;
    std::set<std::string> may_include;
};

/// The arrows of cmake/arrows.txt, by which CMake links as well, with all that they lead to. Throws
/// std::invalid_argument where a folder stands on one that no earlier line names, so that there is no circle.
std::vector<Arrow> readArrows(const std::vector<std::string>& lines);

/// Includes of the project's headers that `arrows` does not allow, and of headers that are not named from the root.
/// Files in a folder that no arrow names are free, except that every folder of core/ and ui/ must have an arrow.
Violations includesAgainstTheArrows(const SourceFile& file, const std::vector<Arrow>& arrows);

/// Includes of Qt in files that must build without it: core/ and the headless program.
Violations qtWhereNoneMayBe(const SourceFile& file);

/// A file of code that does not name its licence in the first line (the second, after a #! line).
Violations missingLicence(const SourceFile& file);

/// A header that can be read twice.
Violations missingPragmaOnce(const SourceFile& file);

/// Paths that exist on one machine only.
Violations machinePaths(const SourceFile& file);

/// Labels, message boxes and tooltips of the window that take what they show for HTML where it looks like it: texts of
/// a trace must be shown as they stand.
Violations richTextByAccident(const SourceFile& file);

/// A file that has more than `limit` lines.
Violations tooLong(const SourceFile& file, std::size_t limit);

}  // namespace rankscope::test
