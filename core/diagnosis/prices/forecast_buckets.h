// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/bucket_forecast.h"

namespace rankscope {

/// Replays the run with each of kBucketCaps. Nothing if DDP sent no bucket that was recorded on all of its ranks.
///
/// Gradients are assumed to become ready evenly between two buckets (before the first: from the first device work of
/// the backward). So a smaller bucket is ready sooner, and a larger one later. Buckets are sent in sequence, each as
/// long as the transfer fit says for its size. The replay keeps today's buckets in which a new one ends. Each takes
/// until all bytes due by then are sent. The others are removed, with the host's work for them. The host's work for
/// additional buckets delays them if the host was not far enough ahead. Up to eight replays.
[[nodiscard]] std::optional<BucketForecast> forecastBuckets(const RuleContext& context);

/// Buckets of another size, for a replay.
struct BucketChange {
    RunChange change;             ///< refers to the context
    std::size_t buckets = 0;      ///< per step, the median
    DurationNs of_replay_ns = 0;  ///< what a replay with today's buckets seems to save: the error of the way they are
                                  ///< played, to be subtracted
    DurationNs error_ns = 0;      ///< how far off the step may be, beyond the replay itself
    std::string reason = {};      ///< why they cannot be played; else empty
};

/// As forecastBuckets(), for one bucket_cap_mb. One replay.
[[nodiscard]] BucketChange changeBuckets(const RuleContext& context, std::int64_t mb);

}  // namespace rankscope
