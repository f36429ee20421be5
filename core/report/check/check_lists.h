// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/check/check.h"

namespace rankscope::report {

/// A common problem, and the questions to ask about it.
enum class CheckListId : std::uint8_t { LowMfu, SlowCommunication, MemoryPressure };
inline constexpr std::size_t kCheckLists = 3;
[[nodiscard]] std::string_view checkListName(CheckListId list);   ///< as in the JSON: "low-mfu"
[[nodiscard]] std::string_view checkListTitle(CheckListId list);  ///< for people: "Low MFU"

/// An answer to a question. Each question asks for a reason: yes means that the reason applies.
enum class ListAnswer : std::uint8_t {
    Yes,
    No,
    CannotTell  ///< the trace does not say; ListLine::record says what would
};
[[nodiscard]] std::string_view listAnswerName(ListAnswer answer);   ///< as in the JSON: "yes"
[[nodiscard]] std::string_view listAnswerTitle(ListAnswer answer);  ///< for people: "cannot tell"

/// A question of a check list, answered.
struct ListLine {
    std::string key;  ///< as in the JSON: "input-late"
    std::string question;
    ListAnswer answer = ListAnswer::CannotTell;
    std::string text;    ///< a sentence with the figure
    std::string advice;  ///< what to change; empty if the answer is not yes
    std::string record;  ///< what would answer it; empty if it is answered
    std::string source;  ///< where the advice, or what to record, is documented
    CheckPlace place;
};

/// A check list, with its questions in the order in which they are best asked.
struct CheckList {
    CheckListId id = CheckListId::LowMfu;
    std::vector<ListLine> lines;
    [[nodiscard]] std::size_t count(ListAnswer answer) const;
};

/// The three lists, answered for a run; `words` are checkSentences(), or a translation of them. Limits are those of
/// check_limits.h. O(ranks x steps + collectives).
[[nodiscard]] std::vector<CheckList> checkListsOf(const AnalysedRun& run, const Sentences& words = checkSentences());

/// The keys of all questions, by list: those of `questions` in resources/check.json.
[[nodiscard]] std::vector<std::string> questionKeys(CheckListId list);

}  // namespace rankscope::report
