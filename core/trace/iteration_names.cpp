// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/iteration_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace rankscope {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// Removes `prefix` from the start of `text`.
bool take(std::string_view& text, std::string_view prefix) {
    const bool there = text.starts_with(prefix);
    text.remove_prefix(there ? prefix.size() : 0);
    return there;
}

/// Removes the digits from the start of `text`.
std::optional<std::int64_t> takeNumber(std::string_view& text) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return number;
}

std::optional<IterationKind> kindOf(std::int64_t prompts, std::int64_t generations) {
    if (prompts > 0) {
        return generations > 0 ? IterationKind::Mixed : IterationKind::Prefill;
    }
    return generations > 0 ? std::optional(IterationKind::Decode) : std::nullopt;
}

/// "(512)", "(888_788544)", "(sq128sk256...)": the tokens come first.
std::optional<std::int64_t> takeTokens(std::string_view& text) {
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view inside = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    take(inside, "sq");
    return takeNumber(inside);
}

/// The text after "context_": "2(512)_generation_6(6)".
std::optional<IterationName> contextOf(std::string_view text) {
    const auto prompts = takeNumber(text);
    const auto prompt_tokens = takeTokens(text);
    const auto generations = take(text, "_generation_") ? takeNumber(text) : std::nullopt;
    const auto new_tokens = takeTokens(text);
    if (!prompts || !generations || !text.empty()) {
        return std::nullopt;
    }
    return IterationName{"vLLM", kindOf(*prompts, *generations), prompt_tokens, new_tokens};
}

std::optional<IterationName> ofVllm(std::string_view name) {
    if (name == "gpu_model_runner: forward" || name == "v2_gpu_model_runner: forward") {
        return IterationName{.server = "vLLM", .kind = {}, .prompt_tokens = {}, .new_tokens = {}};
    }
    if (!take(name, "execute_")) {
        return std::nullopt;
    }
    if (take(name, "new_")) {
        const auto fresh = takeNumber(name);
        const auto cached = take(name, "_cached_") ? takeNumber(name) : std::nullopt;
        if (!fresh || !cached || !name.empty()) {
            return std::nullopt;
        }
        // A request that existed before may decode, or read a later piece of its prompt.
        const bool prompts = *fresh > 0 && *cached == 0;
        return IterationName{.server = "vLLM",
                             .kind = prompts ? std::optional(IterationKind::Prefill) : std::nullopt,
                             .prompt_tokens = {},
                             .new_tokens = {}};
    }
    if (takeNumber(name) && !take(name, "_")) {
        return std::nullopt;
    }
    return take(name, "context_") ? contextOf(name) : std::nullopt;
}

/// The number after " key=".
std::optional<std::int64_t> field(std::string_view fields, std::string_view key) {
    for (std::size_t at = fields.find(key); at != std::string_view::npos; at = fields.find(key, at + 1)) {
        std::string_view value = fields.substr(at + key.size());
        const bool whole = at > 0 && (fields[at - 1] == ' ' || fields[at - 1] == '[');
        if (whole && take(value, "=")) {
            return takeNumber(value);
        }
    }
    return std::nullopt;
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

std::optional<IterationName> ofSglang(std::string_view name) {
    constexpr std::string_view kFile = "sglang/srt/model_executor/model_runner.py(";
    if (name.find(kFile) != std::string_view::npos) {
        IterationName found{.server = "sglang", .kind = {}, .prompt_tokens = {}, .new_tokens = {}};
        if (name.ends_with("): forward_decode")) {
            found.kind = IterationKind::Decode;
            return found;
        }
        // Where prompts may be mixed with tokens of others, this function runs both.
        return name.ends_with("): forward_extend") ? std::optional(found) : std::nullopt;
    }
    if (!take(name, "step[") || !name.ends_with(']')) {
        return std::nullopt;
    }
    const std::string_view mode = name.substr(0, name.find_first_of(" ]"));
    IterationName found{.server = "sglang", .kind = {}, .prompt_tokens = {}, .new_tokens = {}};
    if (isOneOf(mode, {"DECODE", "decode"})) {
        found.kind = IterationKind::Decode;
        found.prompt_tokens = 0;
        found.new_tokens = field(name, "bs");
    } else if (isOneOf(mode, {"EXTEND", "PREFILL", "prefill", "SPLIT_PREFILL"})) {
        found.kind = IterationKind::Prefill;
        found.prompt_tokens = field(name, "toks");
        found.new_tokens = 0;
    } else if (isOneOf(mode, {"MIXED", "mixed"})) {
        found.kind = IterationKind::Mixed;
        found.prompt_tokens = field(name, "ext");
        found.new_tokens = field(name, "dec");
    } else if (isOneOf(mode, {"TARGET_VERIFY", "VERIFY"})) {
        found.kind = IterationKind::Decode;  // number of drafted tokens: the name does not show how many are accepted
    }
    return mode.empty() || mode.find_first_of(kDigits) == 0 ? std::nullopt : std::optional(found);
}

std::optional<IterationName> ofAtom(std::string_view name) {
    const bool prompts = take(name, "prefill[bs=");
    if ((!prompts && !take(name, "decode[bs=")) || !name.ends_with(']')) {
        return std::nullopt;
    }
    const auto tokens = field(name, "tok");
    const auto decoded = field(name, "d");
    if (!prompts) {
        return IterationName{"ATOM", IterationKind::Decode, 0, tokens};
    }
    const bool mixed = decoded.value_or(0) > 0;
    return IterationName{"ATOM", mixed ? IterationKind::Mixed : IterationKind::Prefill, mixed ? std::nullopt : tokens,
                         mixed ? decoded : 0};
}

}  // namespace

std::string_view iterationKindName(IterationKind kind) {
    constexpr std::array<std::string_view, kIterationKinds> kNames = {"prefill", "decode", "mixed"};
    return kNames.at(static_cast<std::size_t>(kind));
}

std::optional<IterationKind> iterationKindOf(std::string_view name) {
    for (const IterationKind kind : {IterationKind::Prefill, IterationKind::Decode, IterationKind::Mixed}) {
        if (name == iterationKindName(kind)) {
            return kind;
        }
    }
    return std::nullopt;
}

std::optional<IterationName> iterationOf(std::string_view name) {
    for (const auto read : {ofVllm, ofSglang, ofAtom}) {
        if (std::optional<IterationName> found = read(name)) {
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace rankscope
