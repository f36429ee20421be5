// SPDX-License-Identifier: GPL-3.0-or-later
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "core/query/span_sets.h"
#include "core/query/sqlite_values.h"
#include "core/query/table_function.h"

namespace rankscope::query {
namespace {

/// The state of an aggregate over the rows of a group.
template <class Gathered>
Gathered* gathered(sqlite3_context* context, bool make) {
    auto** const slot =
        static_cast<Gathered**>(sqlite3_aggregate_context(context, make ? static_cast<int>(sizeof(Gathered*)) : 0));
    if (slot != nullptr && *slot == nullptr && make) {
        *slot = new (std::nothrow) Gathered();
    }
    if (make && (slot == nullptr || *slot == nullptr)) {
        sqlite3_result_error_nomem(context);
    }
    return slot == nullptr ? nullptr : *slot;
}

/// Calls `add` with the state of the group; if memory runs out, the question fails.
template <class Gathered, class Add>
void gather(sqlite3_context* context, const Add& add) {
    if (auto* const of = gathered<Gathered>(context, true)) {
        try {
            add(*of);
        } catch (const std::bad_alloc&) {
            sqlite3_result_error_nomem(context);
        }
    }
}

/// Takes the state of the group; null for a group without rows.
template <class Gathered>
std::unique_ptr<Gathered> taken(sqlite3_context* context) {
    return std::unique_ptr<Gathered>(gathered<Gathered>(context, false));
}

bool isNumber(sqlite3_value* value) {
    const int type = sqlite3_value_numeric_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

struct Numbers {
    std::vector<double> all;
    double percent = 50;
};

void addNumber(sqlite3_context* context, int count, sqlite3_value** values) {
    if (isNumber(values[0])) {
        gather<Numbers>(context, [&](Numbers& of) {
            of.all.push_back(sqlite3_value_double(values[0]));
            of.percent = count > 1 ? sqlite3_value_double(values[1]) : of.percent;
        });
    }
}

void percentileOf(sqlite3_context* context) {
    const std::unique_ptr<Numbers> of = taken<Numbers>(context);
    if (of == nullptr || of->all.empty()) {
        return sqlite3_result_null(context);
    }
    if (of->percent < 0 || of->percent > 100 || std::isnan(of->percent)) {
        return sqlite3_result_error(context, "percentile(x, p): p must be from 0 to 100", -1);
    }
    const double place = of->percent / 100 * static_cast<double>(of->all.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(place);
    std::nth_element(of->all.begin(), of->all.begin() + below, of->all.end());
    const double low = of->all[static_cast<std::size_t>(below)];
    const bool is_last = static_cast<std::size_t>(below) + 1 == of->all.size();
    const double high = is_last ? low : *std::min_element(of->all.begin() + below + 1, of->all.end());
    sqlite3_result_double(context, low + (place - static_cast<double>(below)) * (high - low));
}

/// Sums with Welford's method, which keeps digits that a sum of squares loses.
struct Spread {
    double count = 0;
    double mean = 0;
    double squares = 0;
};

void addToSpread(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    if (isNumber(values[0])) {
        gather<Spread>(context, [&](Spread& of) {
            const double x = sqlite3_value_double(values[0]);
            const double before = x - of.mean;
            of.count += 1;
            of.mean += before / of.count;
            of.squares += before * (x - of.mean);
        });
    }
}

void deviationOf(sqlite3_context* context) {
    const std::unique_ptr<Spread> of = taken<Spread>(context);
    if (of == nullptr || of->count < 2) {
        return sqlite3_result_null(context);
    }
    sqlite3_result_double(context, std::sqrt(of->squares / (of->count - 1)));
}

struct Spans {
    std::vector<TimeSpan> all;
    bool is_far = false;
};

/// The interval of two values; nothing if one of them is no number.
std::optional<TimeSpan> spanOf(sqlite3_value* start, sqlite3_value* end) {
    return isNumber(start) && isNumber(end)
               ? std::optional(TimeSpan{sqlite3_value_int64(start), sqlite3_value_int64(end)})
               : std::nullopt;
}

void addTo(Spans& spans, const TimeSpan& span) {
    if (isNear(span)) {
        spans.all.push_back(span);
    } else {
        spans.is_far = true;
    }
}

void addSpan(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    if (const std::optional<TimeSpan> span = spanOf(values[0], values[1])) {
        gather<Spans>(context, [&](Spans& of) { addTo(of, *span); });
    }
}

void refuseFar(sqlite3_context* context) {
    sqlite3_result_error(context, "an interval begins or ends more than 2^61 ns from 0", -1);
}

void lengthOfUnion(sqlite3_context* context) {
    const std::unique_ptr<Spans> of = taken<Spans>(context);
    if (of != nullptr && of->is_far) {
        return refuseFar(context);
    }
    sqlite3_result_int64(context, of == nullptr ? 0 : IntervalSet::unionOf(std::move(of->all)).length());
}

void textOfUnion(sqlite3_context* context) {
    const std::unique_ptr<Spans> of = taken<Spans>(context);
    if (of != nullptr && of->is_far) {
        return refuseFar(context);
    }
    const std::string text = textOf(of == nullptr ? IntervalSet() : IntervalSet::unionOf(std::move(of->all)));
    giveResult(context, std::string_view(text), SQLITE_TRANSIENT);
}

/// Intervals by the text of what tells their sets apart.
struct SpanSets {
    std::map<std::string, Spans, std::less<>> all;
};

void addToSet(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    const std::optional<TimeSpan> span = spanOf(values[0], values[1]);
    const auto* const name = reinterpret_cast<const char*>(sqlite3_value_text(values[2]));
    if (span && name != nullptr) {
        gather<SpanSets>(context, [&](SpanSets& of) { addTo(of.all[name], *span); });
    }
}

void lengthOfIntersection(sqlite3_context* context) {
    const std::unique_ptr<SpanSets> of = taken<SpanSets>(context);
    if (of == nullptr || of->all.size() < 2) {
        return sqlite3_result_int64(context, 0);
    }
    std::optional<IntervalSet> shared;
    for (auto& [name, spans] : of->all) {
        if (spans.is_far) {
            return refuseFar(context);
        }
        const IntervalSet own = IntervalSet::unionOf(std::move(spans.all));
        shared = shared ? shared->intersect(own) : own;
    }
    sqlite3_result_int64(context, shared->length());
}

/// The time that two intervals share.
DurationNs sharedBy(const TimeSpan& a, const TimeSpan& b) {
    return std::max<DurationNs>(0, std::min(a.end_ns, b.end_ns) - std::max(a.start_ns, b.start_ns));
}

/// overlap(a, b) of two slices.
void overlapOfSlices(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    const auto& places = static_cast<const FunctionContext*>(sqlite3_user_data(context))->places();
    const auto a = static_cast<std::uint64_t>(sqlite3_value_int64(values[0]));
    const auto b = static_cast<std::uint64_t>(sqlite3_value_int64(values[1]));
    const bool are_slices = isNumber(values[0]) && isNumber(values[1]) && a < places.slices() && b < places.slices() &&
                            places.find(a).first->run == places.find(b).first->run;
    giveResult(context, are_slices ? tables::Value(sharedBy(places.spanOf(a), places.spanOf(b))) : tables::Value(),
               SQLITE_STATIC);
}

/// overlap(start, end, start, end).
void overlapOfSpans(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    const std::optional<TimeSpan> a = spanOf(values[0], values[1]);
    const std::optional<TimeSpan> b = spanOf(values[2], values[3]);
    if (a && b && !(isNear(*a) && isNear(*b))) {
        return refuseFar(context);
    }
    giveResult(context, a && b ? tables::Value(sharedBy(*a, *b)) : tables::Value(), SQLITE_STATIC);
}

using Step = void (*)(sqlite3_context*, int, sqlite3_value**);
using Finish = void (*)(sqlite3_context*);

/// A function of a row, or, with `finish`, of the rows of a group.
struct Function {
    FunctionWords words;
    int arguments;
    Step step;
    Finish finish;
};

const std::vector<Function>& plainFunctions() {
    static const std::vector<Function> all = {
        {{"overlap(a, b)", "time in ns that two slices, given by their ids, share; null for slices of two runs"},
         2,
         overlapOfSlices,
         nullptr},
        {{"overlap(start, end, start, end)", "time in ns that two intervals share"}, 4, overlapOfSpans, nullptr},
        {{"median(x)", "the median"}, 1, addNumber, percentileOf},
        {{"percentile(x, p)", "the percentile p, from 0 to 100, linear between values"}, 2, addNumber, percentileOf},
        {{"stddev(x)", "the standard deviation of a sample; null for one value"}, 1, addToSpread, deviationOf},
        {{"union_ns(start, end)", "time in ns that intervals cover together"}, 2, addSpan, lengthOfUnion},
        {{"intersect_ns(start, end, set)",
          "time in ns that all sets cover at once; `set` says to which set an interval belongs; "
          "0 with fewer than two sets"},
         3,
         addToSet,
         lengthOfIntersection},
        {{"spans(start, end)", "the union of intervals as a text, for intersect_spans and except_spans"},
         2,
         addSpan,
         textOfUnion},
    };
    return all;
}

}  // namespace

std::string_view functionKindName(FunctionKind kind) {
    return kind == FunctionKind::Rows ? "rows" : kind == FunctionKind::Value ? "value" : "aggregate";
}

const std::vector<FunctionWords>& Database::functions() {
    static const std::vector<FunctionWords> all = [] {
        std::vector<FunctionWords> words;
        std::ranges::transform(tableFunctions(), std::back_inserter(words), &TableFunction::words);
        for (const Function& plain : plainFunctions()) {
            words.push_back(plain.words);
            words.back().kind = plain.finish == nullptr ? FunctionKind::Value : FunctionKind::Aggregate;
        }
        return words;
    }();
    return all;
}

int addFunctions(sqlite3* database, const FunctionContext& context) {
    constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    for (const Function& add : plainFunctions()) {
        const bool gathers = add.finish != nullptr;
        const int code = sqlite3_create_function_v2(
            database, add.words.name().c_str(), add.arguments, kFlags,
            const_cast<FunctionContext*>(&context),  // NOLINT(*-const-cast): SQLite's interface
            gathers ? nullptr : add.step, gathers ? add.step : nullptr, add.finish, nullptr);
        if (code != SQLITE_OK) {
            return code;
        }
    }
    for (const TableFunction& add : tableFunctions()) {
        if (const int code = addTableFunction(database, add, context); code != SQLITE_OK) {
            return code;
        }
    }
    return SQLITE_OK;
}

}  // namespace rankscope::query
