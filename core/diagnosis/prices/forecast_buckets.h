// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/bucket_forecast.h"

namespace rankscope {

/// Replays the run with each of kBucketCaps. Nothing if DDP sent no bucket that was recorded on all of its ranks.
///
/// Gradients are assumed to become ready evenly between one bucket and the next (the first from the first device work
/// of the backward on), so a smaller bucket is ready sooner, and a larger one later. Each takes the time of the
/// transfer fit for its size, in sequence. The replay keeps those of today's buckets in which one of these ends, each
/// with the time that all sent until then take beyond its own start. The others are gone, with the host's work for
/// them. The host's work for additional buckets delays them if the host was not ahead of the device. Up to eight
/// replays.
[[nodiscard]] std::optional<BucketForecast> forecastBuckets(const RuleContext& context);

}  // namespace rankscope
