// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/rough_clocks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// No quartz is off by this much: a larger slope comes from wrong matches.
constexpr double kDriftLimitPpm = 500;
/// A slope uses all pairs of points, so there must not be too many points.
constexpr std::size_t kMostPoints = 128;

/// One match's estimate of a clock.
struct Sample {
    TimeNs file_ns;
    DurationNs add_ns;  ///< what converts it to the run's clock
};

/// Medians of blocks of consecutive samples, relative to `origin`: x is the time of the file, y what is added to it.
std::vector<LinePoint> pointsOf(const std::vector<Sample>& samples, const Sample& origin) {
    const std::size_t block = (samples.size() + kMostPoints - 1) / kMostPoints;
    std::vector<LinePoint> points;
    std::vector<double> at;
    std::vector<double> add;
    for (std::size_t begin = 0; begin < samples.size(); begin += block) {
        at.clear();
        add.clear();
        for (std::size_t i = begin; i < std::min(begin + block, samples.size()); ++i) {
            at.push_back(static_cast<double>(samples[i].file_ns - origin.file_ns));
            add.push_back(static_cast<double>(samples[i].add_ns - origin.add_ns));
        }
        points.push_back({midMedian(at), midMedian(add)});
    }
    return points;
}

/// The median offset of points after subtracting `slope`, and their scatter.
struct Level {
    double add_ns;
    double deviation_ns;
};

Level levelOf(const std::vector<LinePoint>& points, double slope) {
    std::vector<double> adds;
    adds.reserve(points.size());
    for (const LinePoint& point : points) {
        adds.push_back(point.y - slope * point.x);
    }
    const double middle = midMedian(adds);
    for (double& add : adds) {
        add -= middle;
    }
    return {middle, robustDeviation(std::move(adds))};
}

RankClock robustClock(std::vector<Sample>& samples) {
    std::ranges::sort(samples, {}, &Sample::file_ns);
    const Sample origin = samples[samples.size() / 2];
    const std::vector<LinePoint> points = pointsOf(samples, origin);
    double slope = theilSenSlope(points);
    Level level = levelOf(points, slope);
    const double effect = std::abs(slope) * (points.back().x - points.front().x);
    // A slope that may be noise would lead far astray when later domains are placed by this one.
    if (effect < 6 * level.deviation_ns || std::abs(slope) > kDriftLimitPpm * 1e-6) {
        slope = 0;
        level = levelOf(points, 0);
    }
    RankClock clock;
    clock.reference_ns = FileTime(origin.file_ns);
    clock.offset_ns = origin.add_ns + std::llround(level.add_ns);
    clock.drift_ppm = slope * 1e6;
    return clock;
}

class Walk {
  public:
    explicit Walk(const MatchTable& table)
        : table_(table), matches_of_(table.domains), samples_(table.domains), anchored_(table.size(), 0) {
        for (std::size_t match = 0; match < table.size(); ++match) {
            for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
                matches_of_[table.domain[i]].push_back(match);
            }
        }
        rough_.clocks.resize(table.domains);
        rough_.reference.assign(table.domains, MatchTable::kLeaveOut);
    }

    RoughClocks run() && {
        for (std::uint32_t domain = 0; domain < table_.domains; ++domain) {
            if (!placed(domain)) {
                place(domain, domain);
                for (auto next = withMostSamples(); next; next = withMostSamples()) {
                    rough_.clocks[*next] = robustClock(samples_[*next]);
                    place(*next, domain);
                }
            }
        }
        return std::move(rough_);
    }

  private:
    [[nodiscard]] bool placed(std::uint32_t domain) const { return rough_.reference[domain] != MatchTable::kLeaveOut; }

    [[nodiscard]] std::optional<std::uint32_t> withMostSamples() const {
        std::optional<std::uint32_t> best;
        for (std::uint32_t domain = 0; domain < table_.domains; ++domain) {
            const std::size_t count = placed(domain) ? 0 : samples_[domain].size();
            if (count > (best ? samples_[*best].size() : 0)) {
                best = domain;
            }
        }
        return best;
    }

    /// Its matches without a placed domain can now place their other members.
    void place(std::uint32_t domain, std::uint32_t reference) {
        rough_.reference[domain] = reference;
        for (const std::size_t match : matches_of_[domain]) {
            if (anchored_[match] == 0) {
                anchored_[match] = 1;
                anchor(match, domain);
            }
        }
    }

    void anchor(std::size_t match, std::uint32_t domain) {
        const std::size_t end = table_.first[match + 1];
        std::size_t own = table_.first[match];
        while (table_.domain[own] != domain) {
            ++own;
        }
        const TimeNs at = rough_.clocks[domain].toRun(FileTime(table_.span[own].end_ns));
        for (std::size_t i = table_.first[match]; i < end; ++i) {
            if (!placed(table_.domain[i])) {
                samples_[table_.domain[i]].push_back({table_.span[i].end_ns, at - table_.span[i].end_ns});
            }
        }
    }

    const MatchTable& table_;
    std::vector<std::vector<std::size_t>> matches_of_;
    std::vector<std::vector<Sample>> samples_;
    std::vector<char> anchored_;
    RoughClocks rough_;
};

}  // namespace

RoughClocks roughClocks(const MatchTable& table) {
    return Walk(table).run();
}

}  // namespace rankscope
