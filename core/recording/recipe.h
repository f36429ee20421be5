// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// How to record a job, as lines to paste.

namespace rankscope {

/// What the job is written with, or what records it.
enum class Framework : std::uint8_t { Ddp, Fsdp, Megatron, DeepSpeed, Lightning, Accelerate, Vllm, Nsys };
/// What the recording is to show, beyond where the time of a step goes.
enum class RecordingQuestion : std::uint8_t { Overlap, Memory, Hang, Input };

/// The names on the command line, in the order of the enumerations: "ddp", "overlap".
[[nodiscard]] std::span<const std::string_view> frameworkNames();
[[nodiscard]] std::span<const std::string_view> recordingQuestionNames();
/// Nothing for an unknown name.
[[nodiscard]] std::optional<Framework> frameworkNamed(std::string_view name);
[[nodiscard]] std::optional<RecordingQuestion> recordingQuestionNamed(std::string_view name);

/// The lines that record a job for a question, or for all that is cheap; then what each option costs, and how to open
/// the result. A hang needs environment variables only, which are the same for all frameworks.
[[nodiscard]] std::string recipeFor(Framework framework, std::optional<RecordingQuestion> question);

}  // namespace rankscope
