// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/job_document.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/parse_quantity.h"

namespace rankscope::ui {
namespace {

/// Calls `counted` with the name and a reference to each count of a job, and `measured` with those of each other
/// number.
template <class Job, class Counted, class Measured>
void eachField(Job& job, Counted counted, Measured measured) {
    counted("parameters", job.model.parameters);
    counted("layers", job.model.layers);
    counted("hidden", job.model.hidden);
    counted("sequence", job.model.sequence);
    counted("micro_batch", job.model.micro_batch);
    counted("heads", job.model.heads);
    measured("tokens", job.tokens);
    measured("batch", job.batch);
    measured("model_flops", job.model_flops);
    measured("peak_tflops", job.peak_tflops);
    measured("inside_gb_per_s", job.inside_gb_per_s);
    measured("across_gb_per_s", job.across_gb_per_s);
}

/// The shortest text that reads back as the same number.
std::string exactText(double value) {
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

}  // namespace

Json jobJson(const JobChoice& job) {
    Json json = Json::object();
    eachField(
        job,
        [&json](const char* name, const std::optional<std::int64_t>& count) {
            if (count) {
                json[name] = *count;
            }
        },
        [&json](const char* name, const std::optional<double>& number) {
            if (number) {
                json[name] = exactText(*number);
            }
        });
    return json;
}

JobChoice jobFromJson(const Json& json) {
    JobChoice job;
    eachField(
        job,
        [&json](const char* name, std::optional<std::int64_t>& count) {
            if (const auto at = json.find(name); at != json.end()) {
                const auto said = at->get<std::int64_t>();
                count = said > 0 ? std::optional(said) : std::nullopt;
            }
        },
        [&json](const char* name, std::optional<double>& number) {
            if (const auto at = json.find(name); at != json.end()) {
                number = parseNumber(at->get<std::string>());
            }
        });
    return conflictOf(job) ? JobChoice{.model = job.model,
                                       .tokens = {},
                                       .batch = {},
                                       .model_flops = {},
                                       .peak_tflops = job.peak_tflops,
                                       .inside_gb_per_s = job.inside_gb_per_s,
                                       .across_gb_per_s = job.across_gb_per_s}
                           : job;
}

}  // namespace rankscope::ui
