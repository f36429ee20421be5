// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/compare/recordings.h"
#include "tests/tracegen/config.h"

namespace rankscope::accuracy {

/// One start of a job, recorded: with a new placement, clock and neighbours (tests/tracegen/restart.h).
struct JobStart {
    std::string name;  ///< "start/3%/17": what was changed in the program, and its number
    int change_percent = 0;
    tracegen::Config config;
};

/// 240 starts of one job, and 120 each of the same with a step that takes 2, 3 and 5 % longer.
[[nodiscard]] std::vector<JobStart> jobStarts();

/// What a comparison gets of a start.
struct StartScore {
    std::string name;
    int change_percent = 0;
    Recording recording;
    std::vector<DurationNs> steps_ns;  ///< the samples
    double true_step_ns = 0;           ///< mean of the simulator's own steps
    std::string error;                 ///< why it could not be analysed, if so
};

/// Writes the run as files in memory, loads and analyses them.
[[nodiscard]] StartScore judge(const JobStart& start);

/// All comparisons of sides of `recordings` starts, of which B has `change_percent` more to do.
struct RerunTally {
    int change_percent = 0;
    std::size_t recordings = 0;  ///< on each side
    std::size_t comparisons = 0;
    std::size_t slower = 0;
    std::size_t faster = 0;
    std::size_t nothing = 0;   ///< no difference that matters
    std::size_t apart = 0;     ///< a difference of recordings
    double true_share = 0;     ///< of the step, from the simulator's own steps of all starts
    double spread = 0;         ///< standard deviation of a recording's median over the step
    double within = 0;         ///< what the steps in a recording leave unknown of it, over the step
    double expected = 0;       ///< slower by this method, of normal medians with that share and these spreads
    double allowed = 0;        ///< slower by Student's t-test of them, the best there is
    std::size_t disjoint = 0;  ///< comparisons that share no start: what chance has room for

    /// A verdict where nothing changed, or the wrong one.
    [[nodiscard]] std::size_t wrong() const { return change_percent == 0 ? slower + faster : faster; }
};

/// Deals the starts to sides of 1, 2, 3 and 5 recordings, several times over, and compares them. Of the job without a
/// change the second half is compared with the first. The same scores give the same tallies.
[[nodiscard]] std::vector<RerunTally> tallyOf(const std::vector<StartScore>& scores);

/// At most 5 % of the comparisons of one job get a verdict, and none of one recording each. Of those with a change as
/// many as expected, within three standard deviations of chance; at most 2.5 % are called faster.
[[nodiscard]] bool holds(const std::vector<RerunTally>& tallies);

/// The table, in Markdown.
[[nodiscard]] std::string markdownOf(const std::vector<RerunTally>& tallies);

}  // namespace rankscope::accuracy
