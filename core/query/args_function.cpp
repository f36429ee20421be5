// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bounded_json.h"
#include "core/ingest/kineto/event_args.h"
#include "core/ingest/load.h"
#include "core/query/table_function.h"
#include "core/tables/stored_rows.h"

namespace rankscope::query {
namespace {

using tables::Type;
using tables::Value;

/// A text without its quotes; anything else as it is in the file.
std::string plainValue(const std::string& recorded) {
    const Result<nlohmann::json> value = parseBoundedJson(recorded);
    return value.ok() && value.value().is_string() ? value.value().get<std::string>() : recorded;
}

Result<std::unique_ptr<tables::Rows>> argsOf(const FunctionContext& context, std::span<const Value> arguments) {
    auto rows = std::make_unique<tables::StoredRows>(2);
    const tables::SlicePlaces& places = context.places();
    const auto id = static_cast<std::uint64_t>(arguments[0].integer);
    if (arguments[0].kind != Value::Kind::Integer) {
        return Error{{}, {}, "needs a whole number"};
    }
    if (id < places.slices()) {
        const auto [track, slice] = places.find(id);
        const Result<std::string> event = readEventText(track->trace(), {track->track, slice});
        if (!event.ok()) {
            return Error{{}, {}, event.failed() ? event.error().text() : std::string("was cancelled")};
        }
        for (const RawMember& member : rawArgs(event.value())) {
            const std::string_view key = rows->keep(member.key);
            rows->add({key, rows->keep(plainValue(member.value))});
        }
    }
    return std::unique_ptr<tables::Rows>(std::move(rows));
}

}  // namespace

TableFunction argsFunction() {
    return {{"args(slice)", "the recorded arguments of a slice, read from its file: under 150 ms"},
            {{"of", Type::Integer, "slice.id", {}}},
            {{"key", Type::Text, "name of the argument", {}},
             {"value", Type::Text, "its value: texts without quotes, all else as in the file", {}}},
            argsOf};
}

}  // namespace rankscope::query
