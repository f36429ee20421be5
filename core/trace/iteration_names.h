// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/trace/category.h"

namespace rankscope {

/// What an iteration of a server of language models works on: a batch of requests that goes through the model once.
enum class IterationKind : std::uint8_t {
    Prefill,  ///< prompts, or pieces of them: many tokens of a request at once
    Decode,   ///< the next token of each request, or the few that a draft proposes for it
    Mixed,    ///< both in one batch
};
inline constexpr std::size_t kIterationKinds = 3;
[[nodiscard]] std::string_view iterationKindName(IterationKind kind);  ///< as in the JSON: "prefill"

/// The kind with this iterationKindName(); nothing for other words.
[[nodiscard]] std::optional<IterationKind> iterationKindOf(std::string_view name);

/// What the name of a range shows about the iteration in it.
struct IterationName {
    std::string_view server;                    ///< the server that uses this name: "vLLM"
    std::optional<IterationKind> kind;          ///< nothing if the name does not show it
    std::optional<std::int64_t> prompt_tokens;  ///< prompt tokens read; nothing if the name does not have it
    std::optional<std::int64_t> new_tokens;     ///< tokens that are generated, if no draft is refused
};

/// Reads the name of a range, or of a Python function, around an iteration. Nothing for other names.
///   vLLM    execute_context_2(512)_generation_6(6), the same with sums of squares, and with the number of requests in
///           front of it; execute_new_2_cached_6 before that; gpu_model_runner: forward
///   sglang  step[EXTEND bs=2 toks=4096], step[DECODE bs=16], step[MIXED bs=8 ext=512 dec=7] and other modes; before
///           that the functions forward_extend and forward_decode of recorded Python stacks
///   ATOM    prefill[bs=2 tok=16384 ...], decode[bs=64 tok=64 ...]
[[nodiscard]] std::optional<IterationName> iterationOf(std::string_view name);

/// Whether slices of this category may mark iterations.
[[nodiscard]] constexpr bool mayMarkIterations(Category category) {
    return category == Category::UserAnnotation || category == Category::CpuOp || category == Category::PythonFunction;
}

}  // namespace rankscope
