// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/run.h"

// Pictures for agents. This program has no window in it, so another one draws them.
namespace rankscope::cli {

/// A picture of the window that shows a time of a run: the bytes of a PNG. `span` is from the run's first instant, in
/// ns, and not empty. The program `rankscope` beside this one, or else on PATH, draws it from the files of the run,
/// which takes as long as opening them. Fails if there is no such program, with what to do.
[[nodiscard]] Result<std::string> pictureOf(const Run& run, const TimeSpan& span, const std::stop_token& stop);

/// The size of a picture in pixels.
inline constexpr std::int32_t kPictureWidth = 1280;
inline constexpr std::int32_t kPictureHeight = 800;

/// Bytes as base64, as JSON needs them: four characters of A to Z, a to z, 0 to 9, + and / for three bytes, filled up
/// with =. Empty for no bytes.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace rankscope::cli
