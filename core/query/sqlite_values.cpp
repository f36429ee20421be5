// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/sqlite_values.h"

namespace rankscope::query {

tables::Value sqlValue(sqlite3_value* value) {
    switch (sqlite3_value_type(value)) {
        case SQLITE_INTEGER: return static_cast<std::int64_t>(sqlite3_value_int64(value));
        case SQLITE_FLOAT: return sqlite3_value_double(value);
        case SQLITE_TEXT: {
            const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(value));
            return std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
        }
        default: return {};
    }
}

void giveResult(sqlite3_context* context, const tables::Value& value, sqlite3_destructor_type of_text) {
    using Kind = tables::Value::Kind;
    switch (value.kind) {
        case Kind::Null: sqlite3_result_null(context); break;
        case Kind::Integer: sqlite3_result_int64(context, value.integer); break;
        case Kind::Real: sqlite3_result_double(context, value.real); break;
        case Kind::Text:
            sqlite3_result_text64(context, value.text.data() == nullptr ? "" : value.text.data(), value.text.size(),
                                  of_text, SQLITE_UTF8);
            break;
    }
}

std::string declarationOf(const std::vector<tables::Column>& columns, const std::vector<tables::Column>& arguments) {
    std::string out = "CREATE TABLE x(";
    const auto add = [&out](const std::vector<tables::Column>& all, const char* last) {
        for (const tables::Column& column : all) {
            using tables::Type;
            out += (out.back() == '(' ? "\"" : ", \"") + column.name + '"';
            out += column.type == Type::Integer ? " INTEGER" : column.type == Type::Real ? " REAL" : " TEXT";
            out += last;
        }
    };
    add(columns, "");
    add(arguments, " HIDDEN");
    return out + ")";
}

}  // namespace rankscope::query
