// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/perfetto/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/bounded_json.h"
#include "core/ingest/perfetto/wire.h"

namespace rankscope::perfetto {
namespace {

constexpr std::uint32_t kNameId = 1;
constexpr std::uint32_t kName = 10;

/// Whether a text is in JSON what it is here.
bool isPlain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void appendReal(double value, std::string& to) {
    if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(to), "{}", value);
    } else {
        to += "null";
    }
}

/// JSON from inside a trace, which may be none. The parser ends at a zero byte.
void appendJson(std::string_view json, std::string& to) {
    if (json.find('\0') == std::string_view::npos && parseBoundedJson(json).ok()) {
        to += json;
    } else {
        appendQuoted(json, to);
    }
}

/// Writes the values of an annotation and of those inside it.
class ValueWriter {
  public:
    ValueWriter(const Names& names, std::string& to) : names_(names), to_(to) {}

    void write(std::string_view annotation, int depth) {
        Field field;
        Message message(annotation);
        char list = 0;
        bool is_written = false;
        while (message.next(field)) {
            const bool is_entry = field.number == kEntries || field.number == kItems;
            if (is_entry && !is_written && depth < kDeepestAnnotation) {
                writeEntry(field, list, depth);
            } else if (!is_entry && list == 0 && !is_written) {
                is_written = writeScalar(field);
            }
        }
        if (list != 0) {
            to_ += list == '{' ? '}' : ']';
        } else if (!is_written) {
            to_ += "null";
        }
    }

  private:
    static constexpr std::uint32_t kEntries = 11;
    static constexpr std::uint32_t kItems = 12;

    void writeEntry(const Field& field, char& list, int depth) {
        const char open = field.number == kEntries ? '{' : '[';
        if (list != 0 && list != open) {
            return;
        }
        to_ += list == 0 ? open : ',';
        list = open;
        if (open == '{') {
            appendQuoted(annotationName(field.bytes, names_), to_);
            to_ += ':';
        }
        write(field.bytes, depth + 1);
    }

    bool writeScalar(const Field& field) {
        switch (field.number) {
            case 2: to_ += field.value != 0 ? "true" : "false"; return true;
            case 3:
            case 7: fmt::format_to(std::back_inserter(to_), "{}", field.value); return true;
            case 4: fmt::format_to(std::back_inserter(to_), "{}", field.integer()); return true;
            case 5: appendReal(field.real(), to_); return true;
            case 6: appendQuoted(field.bytes, to_); return true;
            case 9: appendJson(field.bytes, to_); return true;
            case 17: appendQuoted(textAt(names_.texts, field.value), to_); return true;
            default: return false;
        }
    }

    const Names& names_;
    std::string& to_;
};

}  // namespace

std::string_view annotationName(std::string_view annotation, const Names& names) {
    Field field;
    Message message(annotation);
    while (message.next(field)) {
        if (field.number == kName) {
            return field.bytes;
        }
        if (field.number == kNameId) {
            return textAt(names.annotations, field.value);
        }
    }
    return {};
}

void appendValue(std::string_view annotation, const Names& names, std::string& to) {
    ValueWriter(names, to).write(annotation, 0);
}

std::optional<std::string> embeddedJson(const std::string& value) {
    const Result<nlohmann::json> outer = parseBoundedJson(value);
    if (!outer.ok() || !outer.value().is_string()) {
        return std::nullopt;
    }
    std::string text = outer.value().get<std::string>();
    const Result<nlohmann::json> inner = parseBoundedJson(text);
    return inner.ok() && inner.value().is_structured() ? std::optional(std::move(text)) : std::nullopt;
}

void appendQuoted(std::string_view text, std::string& to) {
    if (isPlain(text)) {
        to.append(1, '"').append(text).append(1, '"');
        return;
    }
    to += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace rankscope::perfetto
