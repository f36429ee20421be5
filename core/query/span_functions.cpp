// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <iterator>

#include "core/base/bounded_json.h"
#include "core/query/span_sets.h"
#include "core/query/table_function.h"
#include "core/tables/stored_rows.h"

namespace rankscope::query {
namespace {

using nlohmann::json;
using tables::Type;
using tables::Value;

IntervalSet intersection(const IntervalSet& a, const IntervalSet& b) {
    return a.intersect(b);
}

IntervalSet difference(const IntervalSet& a, const IntervalSet& b) {
    return a.subtract(b);
}

TableFunction ofSpans(FunctionWords words, IntervalSet (*combine)(const IntervalSet& a, const IntervalSet& b)) {
    return {std::move(words),
            {{"a", Type::Text, "spans(start, end) of some rows", {}},
             {"b", Type::Text, "spans(start, end) of other rows", {}}},
            {{"start_ns", Type::Integer, "its start", {}},
             {"dur_ns", Type::Integer, "its length", {}},
             {"end_ns", Type::Integer, "start_ns + dur_ns", {}}},
            [combine](const FunctionContext& /*context*/,
                      std::span<const Value> arguments) -> Result<std::unique_ptr<tables::Rows>> {
                const std::optional<IntervalSet> a = spansOf(arguments[0].text);
                const std::optional<IntervalSet> b = spansOf(arguments[1].text);
                if (!a || !b) {
                    return Error{{}, {}, "needs two answers of spans(start, end), like [[0,10],[20,30]]"};
                }
                auto rows = std::make_unique<tables::StoredRows>(3);
                const IntervalSet both = combine(*a, *b);
                for (const TimeSpan& span : both.spans()) {
                    rows->add({span.start_ns, span.length(), span.end_ns});
                }
                return std::unique_ptr<tables::Rows>(std::move(rows));
            }};
}

}  // namespace

std::string textOf(const IntervalSet& set) {
    std::string text = "[";
    for (const TimeSpan& span : set.spans()) {
        fmt::format_to(std::back_inserter(text), "{}[{},{}]", text.size() == 1 ? "" : ",", span.start_ns, span.end_ns);
    }
    return text + "]";
}

std::optional<IntervalSet> spansOf(std::string_view text) {
    const Result<json> parsed = parseBoundedJson(text);
    if (!parsed.ok() || !parsed.value().is_array()) {
        return std::nullopt;
    }
    std::vector<TimeSpan> spans;
    for (const json& each : parsed.value()) {
        if (!each.is_array() || each.size() != 2 || !each[0].is_number_integer() || !each[1].is_number_integer()) {
            return std::nullopt;
        }
        spans.push_back({each[0].get<TimeNs>(), each[1].get<TimeNs>()});
        if (!isNear(spans.back())) {
            return std::nullopt;
        }
    }
    return IntervalSet::unionOf(std::move(spans));
}

std::vector<TableFunction> spanFunctions() {
    return {ofSpans({"intersect_spans(a, b)", "the time that two sets of spans(start, end) share, an interval a row"},
                    intersection),
            ofSpans({"except_spans(a, b)", "the time of the first set of spans(start, end) without the second"},
                    difference)};
}

}  // namespace rankscope::query
