// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/sqlite_side.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

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

struct Intervals {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
};

void addInterval(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    if (isNumber(values[0]) && isNumber(values[1])) {
        gather<Intervals>(context, [&](Intervals& of) {
            of.all.emplace_back(sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1]));
        });
    }
}

void lengthOfUnion(sqlite3_context* context) {
    const std::unique_ptr<Intervals> of = taken<Intervals>(context);
    if (of == nullptr) {
        return sqlite3_result_int64(context, 0);
    }
    std::ranges::sort(of->all);
    std::uint64_t length = 0;  // large enough for any intervals
    std::int64_t reached = INT64_MIN;
    for (const auto& [start, end] : of->all) {
        const std::int64_t from = std::max(start, reached);
        if (end > from) {
            length += static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(from);
            reached = end;
        }
    }
    if (length > INT64_MAX) {
        return sqlite3_result_error(context, "union_ns(start, end): longer than 64 bits", -1);
    }
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(length));
}

using Step = void (*)(sqlite3_context*, int, sqlite3_value**);
using Finish = void (*)(sqlite3_context*);

}  // namespace

int addFunctions(sqlite3* database) {
    struct Function {
        const char* name;
        int arguments;
        Step step;
        Finish finish;
    };
    constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    for (const Function& add :
         {Function{"median", 1, addNumber, percentileOf}, Function{"percentile", 2, addNumber, percentileOf},
          Function{"stddev", 1, addToSpread, deviationOf}, Function{"union_ns", 2, addInterval, lengthOfUnion}}) {
        const int code = sqlite3_create_function_v2(database, add.name, add.arguments, kFlags, nullptr, nullptr,
                                                    add.step, add.finish, nullptr);
        if (code != SQLITE_OK) {
            return code;
        }
    }
    return SQLITE_OK;
}

}  // namespace rankscope::query
