// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/answer_uses.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/query/cells.h"

namespace rankscope::ui {
namespace {

/// A slice or a time of a rank, before places are grouped.
struct FoundPlace {
    std::uint32_t run = 0;
    FindingPlace place;
    TimeSpan on_axis;
};

/// A time on the axis, on the clock of the file of a rank.
FileSpan fileSpan(const AnalysedRun& run, RankPosition rank, const TimeSpan& on_axis) {
    const TimeSpan on_clock{on_axis.start_ns + run.clock.base_ns, on_axis.end_ns + run.clock.base_ns};
    return run.clock.ranks[rank].toFile(RunSpan(on_clock));
}

std::vector<FoundPlace> foundIn(const Answer& answer) {
    std::vector<FoundPlace> found;
    for (std::size_t row = 0; row < answer.rows(); ++row) {
        if (const auto slice = answer.sliceOf(row)) {
            const AnalysedRun& run = *answer.runs()[slice->run];
            const TimeSpan span = run.run->ranks[slice->rank]->span(slice->slice);
            found.push_back({slice->run, {slice->rank, slice->slice, {}}, axisSpan(run, slice->rank, span)});
            continue;
        }
        const std::optional<TimeSpan> span = answer.spanOf(row);
        const std::optional<RankPlace> of = span ? answer.rankOf(row) : std::nullopt;
        if (of) {
            found.push_back({of->run, {of->rank, {}, fileSpan(*answer.runs()[of->run], of->rank, *span)}, *span});
        }
    }
    std::ranges::sort(found, {}, [](const FoundPlace& one) {
        return std::tuple(one.run, one.place.rank, one.on_axis.start_ns, one.place.slice);
    });
    const auto is_same = [](const FoundPlace& a, const FoundPlace& b) { return a.run == b.run && a.place == b.place; };
    const auto [first, last] = std::ranges::unique(found, is_same);
    found.erase(first, last);
    return found;
}

std::string fieldOf(const tables::Value& value, TextForm form) {
    if (form == TextForm::Csv) {
        return query::csvField(value);
    }
    std::string words = query::plainText(value);
    std::ranges::replace_if(
        words, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return words;
}

}  // namespace

std::shared_ptr<const AskedMarks> marksOf(const Answer& answer) {
    const std::vector<FoundPlace> found = foundIn(answer);
    if (found.empty()) {
        return nullptr;
    }
    auto marks = std::make_shared<AskedMarks>();
    marks->count = found.size();
    const auto first = std::ranges::min_element(found, {}, [](const FoundPlace& one) { return one.on_axis.start_ns; });
    marks->around = first->on_axis;
    marks->run = first->run;
    marks->rank = first->place.rank;
    for (const FoundPlace& one : found) {
        if (marks->runs.empty() || marks->runs.back().run != one.run) {
            marks->runs.push_back({one.run, {}, {}});
        }
        marks->around.end_ns = std::max(marks->around.end_ns, one.on_axis.end_ns);
        const SliceRef& slice = one.place.slice;
        (slice.valid() ? marks->runs.back().slices : marks->runs.back().times).push_back(one.place);
        if (slice.valid()) {
            const Track& track = answer.runs()[one.run]->run->ranks[one.place.rank]->track(slice);
            marks->rows.add({one.run, one.place.rank, slice.track, track.slices.depth[slice.slice]}, slice.slice);
        }
    }
    return marks;
}

std::string textOf(const Answer& answer, TextForm form, const std::vector<std::size_t>& rows) {
    const std::string_view between = form == TextForm::Csv ? "," : "\t";
    const std::string_view end = form == TextForm::Csv ? "\r\n" : "\n";
    std::string out;
    const auto add_line = [&](const auto& cell_text) {
        for (std::size_t column = 0; column < answer.columns().size(); ++column) {
            out += column == 0 ? std::string_view() : between;
            out += cell_text(column);
        }
        out += end;
    };
    add_line([&](std::size_t column) {
        return fieldOf(tables::Value(std::string_view(answer.columns()[column].title)), form);
    });
    const std::size_t count = rows.empty() ? answer.rows() : rows.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = rows.empty() ? i : rows[i];
        add_line([&](std::size_t column) { return fieldOf(answer.cell(row, column), form); });
    }
    return out;
}

}  // namespace rankscope::ui
