// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/advice.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/analysis/tensor/find_tensor.h"
#include "core/trace/trace_format.h"
#include "resources/advice.h"

namespace rankscope {

std::string_view runPurposeName(RunPurpose purpose) {
    switch (purpose) {
        case RunPurpose::Training: return "training";
        case RunPurpose::Forward: return "forward";
        case RunPurpose::Serving: break;
    }
    return "serving";
}

RunPurpose purposeOf(const RunFacts& facts) {
    if (!isForwardOnly(facts)) {
        return RunPurpose::Training;
    }
    if (facts.iterations.any()) {
        return RunPurpose::Serving;
    }
    const bool told =
        std::ranges::any_of(facts.ranks, [](const RankFacts& rank) { return rank.phases.told[Phase::Forward]; });
    return told ? RunPurpose::Forward : RunPurpose::Training;
}

Recorder recorderOf(const Run& run) {
    const bool is_nsight = !run.ranks.empty() && std::ranges::all_of(run.ranks, [](const auto& rank) {
        return formatOf(*rank) == TraceFormat::Nsight;
    });
    return is_nsight ? Recorder::NsightSystems : Recorder::TorchProfiler;
}

Advice Advice::builtIn() {
    Result<Advice> advice = fromJson(resources::advice, "advice.json");
    return advice.ok() ? std::move(advice).value() : Advice();
}

Result<Advice> Advice::fromJson(std::string_view json, const std::string& path) {
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    if (document.is_discarded()) {
        return Error{path, {}, "is not valid JSON"};
    }
    Advice advice;
    try {
        for (const auto& [id, texts] : document.at("findings").items()) {
            Entry entry{texts.at("title").get<std::string>(),        texts.value("gone", std::string()),
                        texts.at("pattern").get<std::string>(),      texts.at("record").get<std::string>(),
                        texts.value("record-nsight", std::string()), {}};
            for (const nlohmann::json& remedy : texts.at("remedies")) {
                entry.remedies.push_back({remedy.value("when", std::string()),
                                          remedy.value("for", std::vector<std::string>()),
                                          remedy.value("recorder", std::string()),
                                          {.action = remedy.at("action").get<std::string>(),
                                           .detail = remedy.at("detail").get<std::string>(),
                                           .brief = remedy.value("brief", std::string()),
                                           .is_quick = remedy.value("quick", false)}});
            }
            advice.entries_.emplace(id, std::move(entry));
        }
    } catch (const nlohmann::json::exception& error) {
        return Error{path, {}, std::string("is not a table of advice: ") + error.what()};
    }
    return advice;
}

Advice Advice::translated(
    const std::function<std::string(const std::string& text, const std::string& key)>& translate) const {
    Advice copy = *this;
    for (auto& [id, entry] : copy.entries_) {
        entry.title = translate(entry.title, id + ".title");
        entry.gone = entry.gone.empty() ? entry.gone : translate(entry.gone, id + ".gone");
        entry.pattern = translate(entry.pattern, id + ".pattern");
        entry.record = translate(entry.record, id + ".record");
        entry.record_nsight =
            entry.record_nsight.empty() ? entry.record_nsight : translate(entry.record_nsight, id + ".record");
        for (ConditionalRemedy& of : entry.remedies) {
            of.remedy.action = translate(of.remedy.action, id + ".action");
            of.remedy.detail = translate(of.remedy.detail, id + ".detail");
            if (!of.remedy.brief.empty()) {
                of.remedy.brief = translate(of.remedy.brief, id + ".brief");
            }
        }
    }
    return copy;
}

Advice Advice::of(RunPurpose purpose, Recorder recorder) const {
    const bool is_nsight = recorder == Recorder::NsightSystems;
    Advice copy = *this;
    for (auto& [id, entry] : copy.entries_) {
        std::erase_if(entry.remedies, [&](const ConditionalRemedy& remedy) {
            const bool is_of_other = !remedy.recorder.empty() && (remedy.recorder == "nsight") != is_nsight;
            return is_of_other ||
                   (!remedy.purposes.empty() &&
                    std::ranges::find(remedy.purposes, runPurposeName(purpose)) == remedy.purposes.end());
        });
        entry.record = is_nsight && !entry.record_nsight.empty() ? entry.record_nsight : entry.record;
    }
    return copy;
}

std::string Advice::title(FindingId id) const {
    const auto at = entries_.find(findingName(id));
    return at == entries_.end() ? std::string(findingName(id)) : at->second.title;
}

std::string Advice::gone(FindingId id) const {
    const auto at = entries_.find(findingName(id));
    return at == entries_.end() ? std::string() : at->second.gone;
}

std::string Advice::pattern(FindingId id) const {
    const auto at = entries_.find(findingName(id));
    return at == entries_.end() ? std::string() : at->second.pattern;
}

std::string Advice::record(FindingId id) const {
    const auto at = entries_.find(findingName(id));
    return at == entries_.end() ? std::string() : at->second.record;
}

std::vector<Remedy> Advice::remedies(FindingId id, const std::vector<std::string>& conditions) const {
    std::vector<Remedy> found;
    if (const auto at = entries_.find(findingName(id)); at != entries_.end()) {
        for (const ConditionalRemedy& remedy : at->second.remedies) {
            if (remedy.when.empty() || std::ranges::find(conditions, remedy.when) != conditions.end()) {
                found.push_back(remedy.remedy);
            }
        }
    }
    return found;
}

std::vector<Remedy> Advice::everyRemedy(FindingId id) const {
    std::vector<Remedy> found;
    if (const auto at = entries_.find(findingName(id)); at != entries_.end()) {
        for (const ConditionalRemedy& remedy : at->second.remedies) {
            if (std::ranges::find(found, remedy.remedy.action, &Remedy::action) == found.end()) {
                found.push_back(remedy.remedy);
            }
        }
    }
    return found;
}

}  // namespace rankscope
