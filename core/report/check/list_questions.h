// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/report/check/check_context.h"
#include "core/report/check/check_lists.h"

// How the questions of the check lists are answered. Private to core/report/check.
namespace rankscope::report {

/// A question, by its key in resources/check.json, and the function that answers it.
struct Question {
    const char* key;
    ListLine (*answer)(const CheckContext& context, std::string_view key);
};
[[nodiscard]] std::span<const Question> lowMfuQuestions();
[[nodiscard]] std::span<const Question> slowCommunicationQuestions();
[[nodiscard]] std::span<const Question> memoryPressureQuestions();

/// The line of a question: "key.yes", "key.no" or "key.cannot-tell", or one of these with "-variant", filled from
/// `values`.
[[nodiscard]] ListLine answerLine(const CheckContext& context, std::string_view key, ListAnswer answer,
                                  Sentences::Values values, std::string_view variant = {});
/// Yes from `limit` on, else no.
[[nodiscard]] constexpr ListAnswer yesFrom(double value, double limit) {
    return value >= limit ? ListAnswer::Yes : ListAnswer::No;
}
/// For questions that no trace answers: always "cannot tell".
[[nodiscard]] ListLine notInTraces(const CheckContext& context, std::string_view key);
/// Yes, with the finding's own sentence, if there is one of these findings; else no.
[[nodiscard]] ListLine byFinding(const CheckContext& context, std::string_view key,
                                 std::initializer_list<FindingId> ids);

/// The limit on a part of the step, from which a question is answered yes.
struct PartQuestion {
    DurationNs part_ns = 0;  ///< from CheckContext::budget
    double limit = 0;
    std::function<DurationNs(const StepBudget&)> part;  ///< the same part on one rank
};
/// "Cannot tell" if no step has device work.
[[nodiscard]] ListLine byPart(const CheckContext& context, std::string_view key, const PartQuestion& question);
/// The same for a part of exposed communication, of which `part_ns` are known: also "cannot tell" if communication that
/// cannot be divided would decide.
[[nodiscard]] ListLine byDividedPart(const CheckContext& context, std::string_view key, const PartQuestion& question);

}  // namespace rankscope::report
