// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <array>

#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/version.h"

namespace rankscope::report {
namespace {

struct Definition {
    std::string_view term;
    std::string_view meaning;
};

// docs/definitions.md in one sentence each.
constexpr std::array<Definition, 10> kDefinitionsInShort = {{
    {"Step",
     "One training iteration of a rank: from the end of the step before, or its start on the host, to the end "
     "of the device work launched in it. A step of the run ends with its last rank."},
    {"Compute",
     "The time in which a kernel other than communication runs on any stream of the device. Parallel "
     "kernels count once."},
    {"Exposed communication",
     "Communication with no compute beside it. Transfer is the part in which data moved; "
     "waiting is the part in which this rank waited for the last one to come."},
    {"Exposed copy", "Copies with neither compute nor communication beside them."},
    {"Idle",
     "The rest: nothing runs on any stream. Compute, exposed communication, exposed copy and idle add up to the "
     "step, to the nanosecond."},
    {"Cause of idle time",
     "What the host did, from the end of the device's work to the launch of the next; the parts "
     "of a gap fill it exactly."},
    {"Saved a step",
     "The median step, less the same step replayed without the problem. It may be less than what is "
     "blocked, since something else would have held the step up for the rest."},
    {"Blocked a step", "The time of a step that the problem owns. Each nanosecond that is not compute has one owner."},
    {"Severity", "By the share of the step that would be saved: high from 10 %, medium from 5 %, low from 1 %."},
    {"Steady-state step", "One that is complete and no outlier. Only these enter medians and prices."},
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
            paragraph(fmt::format("In full, with formulas and how other tools differ: docs/definitions.md, version {}.",
                                  kDefinitions),
                      "note")};
}

}  // namespace rankscope::report
