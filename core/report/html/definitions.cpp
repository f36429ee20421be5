// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <array>

#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/version.h"

namespace rankscope::report {
namespace {

struct Definition {
    std::string_view term;
    std::string_view meaning;
};

// docs/definitions in one sentence each.
constexpr std::array<Definition, 10> kDefinitionsInShort = {{
    {"Step",
     "One training iteration of a rank: from the end of the previous step, or its start on the CPU, to the end of its "
     "GPU work. A step of the run ends with its last rank."},
    {"Compute",
     "The time in which a kernel other than communication runs on any stream of the GPU. Parallel kernels count once."},
    {"Exposed communication",
     "Communication while no compute runs. Transfer is the part in which data moves. Waiting is the part in which this "
     "rank waits for the last one to arrive."},
    {"Exposed copy", "Copies while neither compute nor communication runs."},
    {"Idle",
     "The rest: nothing runs on any stream. Compute, exposed communication, exposed copy and idle add up exactly to "
     "the step."},
    {"Cause of idle time",
     "What the CPU did from the end of the GPU's work to the launch of the next. The parts of a gap fill it exactly."},
    {"Saved per step",
     "The median step minus the same step simulated without the problem. It may be less than what is blocked, because "
     "something else may delay the step too."},
    {"Blocked per step",
     "The part of a step that the problem causes. Each nanosecond that is not compute has one cause."},
    {"Severity", "The share of the step that a fix saves: high from 10 %, medium from 5 %, low from 1 %."},
    {"Steady-state step", "A complete step that is no outlier. Only these count in medians and prices."},
}};

}  // namespace

Section definitionsSection() {
    std::string items;
    for (const Definition& definition : kDefinitionsInShort) {
        items += element("dt", "", htmlText(definition.term)) + element("dd", "", htmlText(definition.meaning)) + "\n";
    }
    return {
        "definitions", "What the numbers mean",
        element("dl", " class=\"terms\"", "\n" + items) +
            paragraph(fmt::format("In full, with formulas and how other tools differ: docs/definitions, version {}.",
                                  kDefinitions),
                      "note")};
}

}  // namespace rankscope::report
