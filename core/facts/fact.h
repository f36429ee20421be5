// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tables/table.h"

namespace rankscope::tables {

/// A table that people choose from lists, too: a file of CSV and a table of the window besides one of SQL and Python.
struct Fact {
    Table table;
    std::string title;  ///< for people: "Files of each rank"
    /// Whether the job can have such rows, without computing them; empty if any job can.
    std::function<bool(const AnalysedRun& run)> can_have = {};
};

/// Declares a fact where it is written, in a file of its own: `const DeclaredFact kThis([] { return Fact{...}; });` in
/// its unnamed namespace. The program then has it; nothing else lists it. Files of core/facts are in all programs.
class DeclaredFact {
  public:
    explicit DeclaredFact(Fact (*declare)());
};

/// All facts that are declared so, by the names of their tables. From the start of main() on.
[[nodiscard]] const std::vector<Fact>& declaredFacts();

}  // namespace rankscope::tables
