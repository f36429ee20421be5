// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ingest/perfetto/sequences.h"

// The arguments of an event, "debug annotations": perfetto/trace/track_event/debug_annotation.proto.

namespace rankscope::perfetto {

/// The deepest nesting of values that is read; deeper ones are null.
inline constexpr int kDeepestAnnotation = 32;

/// The name of an argument; empty if it has none.
[[nodiscard]] std::string_view annotationName(std::string_view annotation, const Names& names);
/// Appends its value as JSON: numbers with all their digits, invalid UTF-8 as U+FFFD, "null" if there is none. JSON
/// that the annotation contains stays as it is, if it is valid, and else becomes a string.
void appendValue(std::string_view annotation, const Names& names, std::string& to);
/// The JSON object or list that a JSON string contains; nothing if it contains none.
[[nodiscard]] std::optional<std::string> embeddedJson(const std::string& value);
/// Appends a text as a JSON string with its quotes.
void appendQuoted(std::string_view text, std::string& to);

}  // namespace rankscope::perfetto
