// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/gpu_speed/throttle_proof.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "core/base/format.h"

namespace rankscope {
namespace {

/// A lower clock explains slower kernels if it falls by this share of their slowdown, or more: part of their time
/// depends on the memory, which has its own clock.
constexpr double kLeastOfSlowdown = 0.5;
/// Power counts as at its limit from this share of the limit on: it oscillates slightly below it.
constexpr double kAtLimit = 0.97;
/// Without a recorded limit: if power varies by less than this, something limits it.
constexpr double kFlat = 0.02;
constexpr std::size_t kLeastSamples = 3;
constexpr double kDegrees = 1000;  // thousandths
constexpr double kHotter = 5 * kDegrees;
constexpr double kNearLimit = 2 * kDegrees;

/// The readings of a sensor in some spans of time, in thousandths of its unit.
struct Measured {
    double sum = 0;
    double least = std::numeric_limits<double>::max();
    double most = 0;
    std::size_t samples = 0;

    void add(double value) {
        sum += value;
        least = std::min(least, value);
        most = std::max(most, value);
        ++samples;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(samples); }
};

/// Whether a row belongs to the GPU that a rank works on. A row without a GPU does if the rank has no other GPU.
bool isOfGpu(const SensorTable& sensors, std::size_t row, const RankFacts& rank) {
    return sensors.device[row] == rank.device || (sensors.device[row] < 0 && rank.other_devices.empty());
}

/// The readings of a sensor in the spans; if there is none, the last one before the first span.
void addMeasured(const RuleContext& context, const RankSpans& in, Sensor sensor, Measured& into) {
    const SensorTable& sensors = context.work[in.rank].trace->sensors;
    std::optional<double> before;
    bool inside = false;
    for (std::size_t i = 0; i < sensors.size() && !in.spans.empty(); ++i) {
        if (sensors.sensor[i] != sensor || !isOfGpu(sensors, i, context.facts.ranks[in.rank])) {
            continue;
        }
        const auto value = static_cast<double>(sensors.value[i]);
        if (sensors.at_ns[i] < in.spans.front().start_ns) {
            before = value;
        } else if (std::ranges::any_of(in.spans, [&](const TimeSpan& s) { return s.contains(sensors.at_ns[i]); })) {
            into.add(value);
            inside = true;
        }
    }
    if (!inside && before) {
        into.add(*before);
    }
}

std::optional<Measured> measured(const RuleContext& context, const std::vector<RankSpans>& in, Sensor sensor) {
    Measured all;
    for (const RankSpans& of_rank : in) {
        addMeasured(context, of_rank, sensor, all);
    }
    return all.samples > 0 ? std::optional(all) : std::nullopt;
}

std::string inUnit(double thousandths, std::string_view unit) {
    return formatDecimal(thousandths / kDegrees, 0) + " " + std::string(unit);
}

/// Judges one sensor after the other, and describes what each shows.
class ProofJudge {
  public:
    ProofJudge(const RuleContext& context, const RankSpans& slow, const std::vector<RankSpans>& fast, double factor)
        : context_(context), slow_({slow}), fast_(fast), factor_(factor) {}

    ThrottleProof judge() {
        judgeClock();
        judgePower();
        judgeTemperature();
        return std::move(proof_);
    }

  private:
    [[nodiscard]] std::optional<Measured> now(Sensor sensor) {
        std::optional<Measured> slow = measured(context_, slow_, sensor);
        proof_.recorded = proof_.recorded || slow.has_value();
        return slow;
    }

    void judgeClock() {
        const std::optional<Measured> slow = now(Sensor::Clock);
        const std::optional<Measured> fast = measured(context_, fast_, Sensor::Clock);
        if (!slow || !fast || fast->mean() <= 0) {
            return;
        }
        const double lost = 1 - slow->mean() / fast->mean();
        if (lost >= kLeastOfSlowdown * (1 - 1 / factor_)) {
            proof_.proven = true;
            proof_.text += context_.sentences.fill(
                "gpu-slows-down.clock", {{"slow", inUnit(slow->mean(), "MHz")}, {"fast", inUnit(fast->mean(), "MHz")}});
        }
    }

    void judgePower() {
        const std::optional<Measured> slow = now(Sensor::Power);
        const std::optional<Measured> fast = measured(context_, fast_, Sensor::Power);
        const std::optional<Measured> limit = measured(context_, slow_, Sensor::PowerLimit);
        if (!slow) {
            return;
        }
        if (limit && limit->mean() > 0) {
            if (slow->mean() >= kAtLimit * limit->mean()) {
                proof_.proven = true;
                proof_.text += context_.sentences.fill("gpu-slows-down.power", {{"power", inUnit(slow->mean(), "W")},
                                                                                {"limit", inUnit(limit->mean(), "W")}});
            }
            return;
        }
        const bool is_flat = slow->samples >= kLeastSamples && slow->most - slow->least <= kFlat * slow->most;
        if (is_flat && fast && fast->mean() <= kAtLimit * slow->mean()) {
            proof_.proven = true;
            proof_.text += context_.sentences.fill("gpu-slows-down.flat-power", {{"power", inUnit(slow->mean(), "W")},
                                                                                 {"fast", inUnit(fast->mean(), "W")}});
        }
    }

    void judgeTemperature() {
        const std::optional<Measured> slow = now(Sensor::Temperature);
        const std::optional<Measured> fast = measured(context_, fast_, Sensor::Temperature);
        const std::optional<Measured> limit = measured(context_, slow_, Sensor::TemperatureLimit);
        if (slow && limit && limit->mean() > 0 && slow->mean() >= limit->mean() - kNearLimit) {
            proof_.proven = true;
            proof_.text += context_.sentences.fill(
                "gpu-slows-down.temperature",
                {{"temperature", inUnit(slow->mean(), "°C")}, {"limit", inUnit(limit->mean(), "°C")}});
        } else if (slow && fast && slow->mean() >= fast->mean() + kHotter) {
            proof_.text += context_.sentences.fill(
                "gpu-slows-down.hotter", {{"slow", inUnit(slow->mean(), "°C")}, {"fast", inUnit(fast->mean(), "°C")}});
        }
    }

    const RuleContext& context_;
    std::vector<RankSpans> slow_;
    const std::vector<RankSpans>& fast_;
    double factor_;
    ThrottleProof proof_;
};

}  // namespace

ThrottleProof throttleProof(const RuleContext& context, const RankSpans& slow, const std::vector<RankSpans>& fast,
                            double factor) {
    return ProofJudge(context, slow, fast, factor).judge();
}

std::string proofText(const Sentences& say, const ThrottleProof& proof) {
    if (proof.proven) {
        return proof.text + say.fill("gpu-slows-down.proven", {});
    }
    return say.fill("gpu-slows-down.consistent", {}) + proof.text +
           say.fill(proof.recorded ? "gpu-slows-down.unproven" : "gpu-slows-down.unrecorded", {});
}

}  // namespace rankscope
