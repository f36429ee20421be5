// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/diagnosis/bucket_forecast.h"
#include "core/diagnosis/rule.h"

namespace rankscope {

/// Replays the run with each of kBucketCaps. Nothing where DDP sent no bucket that was recorded on all of its ranks.
///
/// Gradients are taken to be there evenly between one bucket and the next (the first from the first device work of the
/// backward on), so that a smaller bucket is ready sooner, and a larger one later. Each takes what the transfer fit
/// says of its size, one after the other. The replay then has, of today's buckets, those in which one of these ends,
/// each with the time that all sent until then takes beyond its own start; the others are gone, with what the host does
/// for them. What more buckets cost the host delays them where it was not ahead of the device. Up to eight replays.
[[nodiscard]] std::optional<BucketForecast> forecastBuckets(const RuleContext& context);

}  // namespace rankscope
