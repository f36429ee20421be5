// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/check_lists.h"

#include <algorithm>
#include <array>

#include "core/base/format.h"
#include "core/report/check/list_questions.h"

namespace rankscope::report {
namespace {

std::span<const Question> questionsOf(CheckListId list) {
    switch (list) {
        case CheckListId::LowMfu: return lowMfuQuestions();
        case CheckListId::SlowCommunication: return slowCommunicationQuestions();
        case CheckListId::MemoryPressure: break;
    }
    return memoryPressureQuestions();
}

}  // namespace

std::string_view checkListName(CheckListId list) {
    switch (list) {
        case CheckListId::LowMfu: return "low-mfu";
        case CheckListId::SlowCommunication: return "slow-communication";
        case CheckListId::MemoryPressure: break;
    }
    return "memory-pressure";
}

std::string_view checkListTitle(CheckListId list) {
    switch (list) {
        case CheckListId::LowMfu: return "Low MFU";
        case CheckListId::SlowCommunication: return "Slow communication";
        case CheckListId::MemoryPressure: break;
    }
    return "Memory pressure";
}

std::string_view listAnswerName(ListAnswer answer) {
    switch (answer) {
        case ListAnswer::Yes: return "yes";
        case ListAnswer::No: return "no";
        case ListAnswer::CannotTell: break;
    }
    return "cannot-tell";
}

std::string_view listAnswerTitle(ListAnswer answer) {
    switch (answer) {
        case ListAnswer::Yes: return "yes";
        case ListAnswer::No: return "no";
        case ListAnswer::CannotTell: break;
    }
    return "cannot tell";
}

std::size_t CheckList::count(ListAnswer answer) const {
    return static_cast<std::size_t>(std::ranges::count(lines, answer, &ListLine::answer));
}

ListLine answerLine(const CheckContext& context, std::string_view key, ListAnswer answer, Sentences::Values values,
                    std::string_view variant) {
    const std::string id(key);
    ListLine line;
    line.key = id;
    line.question = context.words.fill(id + ".question", {});
    line.source = context.words.fill(id + ".source", {});
    line.answer = answer;
    std::string sentence = id + "." + std::string(listAnswerName(answer));
    if (!variant.empty()) {
        sentence += "-" + std::string(variant);
    }
    line.text = context.words.fillFrom(sentence, values);
    if (answer == ListAnswer::Yes) {
        line.advice = context.words.fill(id + ".advice", {});
    } else if (answer == ListAnswer::CannotTell) {
        line.record = context.words.fill(ownKey(context.words, id + ".record", variant), {});
    }
    return line;
}

ListLine notInTraces(const CheckContext& context, std::string_view key) {
    return answerLine(context, key, ListAnswer::CannotTell, {});
}

ListLine byFinding(const CheckContext& context, std::string_view key, std::initializer_list<FindingId> ids) {
    const std::optional<std::size_t> at = findingWith(context.run, ids);
    if (!at) {
        return answerLine(context, key, ListAnswer::No, {});
    }
    const Finding& finding = context.run.diagnosis.findings[*at];
    ListLine line = answerLine(context, key, ListAnswer::Yes,
                               {{"title", finding.title},
                                {"saves", formatDuration(finding.saving_ns)},
                                {"share", formatPercent(finding.share)},
                                {"bound", finding.at_most ? "up to " : ""}});
    line.place.finding = at;
    if (!finding.remedies.empty()) {
        line.advice = finding.remedies.front().action;  // specific to this run, its devices and how the job is divided
    }
    if (!finding.evidence.empty()) {
        const Evidence& first = finding.evidence.front();
        line.place.rank = first.rank;
        line.place.step = first.step;
        line.place.slice = first.slice;
    }
    return line;
}

ListLine byPart(const CheckContext& context, std::string_view key, const PartQuestion& question) {
    if (context.budget.steps == 0) {
        return answerLine(context, key, ListAnswer::CannotTell, {});
    }
    const double share = context.budget.share(question.part_ns).value_or(0);
    ListLine line =
        answerLine(context, key, yesFrom(share, question.limit),
                   {{"part", lengthText(context.budget, question.part_ns)}, {"limit", formatPercent(question.limit)}});
    line.place = placeOfMost(context, question.part);
    return line;
}

ListLine byDividedPart(const CheckContext& context, std::string_view key, const PartQuestion& question) {
    const StepBudget& budget = context.budget;
    PartQuestion most = question;
    most.part_ns += budget.exposed_unsplit_ns;
    if (budget.share(question.part_ns).value_or(0) >= question.limit) {
        return byPart(context, key, question);
    }
    if (budget.share(most.part_ns).value_or(0) < question.limit) {
        return byPart(context, key, most);  // only for that
    }
    ListLine line = answerLine(context, key, ListAnswer::CannotTell,
                               {{"undivided", lengthText(budget, budget.exposed_unsplit_ns)}}, "undivided");
    line.place = placeOfMost(context, [](const StepBudget& one) { return one.exposed_unsplit_ns; });
    return line;
}

std::vector<CheckList> checkListsOf(const AnalysedRun& run, const Sentences& words) {
    const CheckContext context = contextOf(run, words);
    std::vector<CheckList> lists;
    for (std::size_t i = 0; i < kCheckLists; ++i) {
        CheckList list{static_cast<CheckListId>(i), {}};
        for (const Question& question : questionsOf(list.id)) {
            list.lines.push_back(question.answer(context, question.key));
        }
        lists.push_back(std::move(list));
    }
    return lists;
}

std::vector<std::string> questionKeys(CheckListId list) {
    std::vector<std::string> keys;
    for (const Question& question : questionsOf(list)) {
        keys.emplace_back(question.key);
    }
    return keys;
}

}  // namespace rankscope::report
