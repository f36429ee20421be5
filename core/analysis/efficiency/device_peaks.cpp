// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/device_peaks.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "resources/device_peaks.h"

namespace rankscope {
namespace {

template <class T>
std::optional<T> optionalIn(const nlohmann::json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() ? std::optional(at->get<T>()) : std::nullopt;
}

DevicePeak peakIn(const nlohmann::json& entry) {
    DevicePeak peak;
    peak.device = entry.at("device").get<std::string>();
    peak.source = entry.at("source").get<std::string>();
    peak.memory_gb_per_s = entry.at("memory_gb_per_s").get<double>();
    for (const auto& [name, tflops] : entry.at("tflops").items()) {
        if (const std::optional<NumberType> type = numberTypeNamed(name)) {
            peak.tflops[*type] = tflops.get<double>();
        }
    }
    for (const nlohmann::json& name : entry.at("tensor_cores")) {
        if (const std::optional<NumberType> type = numberTypeNamed(name.get<std::string>())) {
            peak.tensor_cores[*type] = true;
        }
    }
    return peak;
}

bool isLetterOrDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether `text` contains `word` without a letter or digit next to it: an A1000 is not an A100, and a GH200 not an
/// H200.
bool holdsWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isLetterOrDigit(text[at - 1])) && (end == text.size() || !isLetterOrDigit(text[end]))) {
            return true;
        }
    }
    return false;
}

bool isSameName(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, lower, lower);
}

bool isAbove0(const DevicePeak& peak) {
    return *peak.memory_gb_per_s > 0 && std::ranges::all_of(peak.tflops.of, [](const std::optional<double>& tflops) {
        return !tflops || *tflops > 0;
    });
}

}  // namespace

std::optional<NumberType> DevicePeak::sixteenBit() const {
    for (const NumberType type : {NumberType::BFloat16, NumberType::Float16}) {
        if (tflops[type]) {
            return type;
        }
    }
    return std::nullopt;
}

std::optional<double> DevicePeak::roofNs(const WorkAtRoof& work, NumberType as) const {
    constexpr double kTeraPerNs = 1e3;  // 1e12 per second are 1e3 per ns
    if (!tflops[as]) {
        return std::nullopt;
    }
    const double compute_ns = work.flops / (*tflops[as] * kTeraPerNs);
    const double bytes = work.bytes * static_cast<double>(bytesOf(as)) / static_cast<double>(bytesOf(work.type));
    return std::max(compute_ns, memory_gb_per_s ? bytes / *memory_gb_per_s : 0.0);
}

const DevicePeaks& DevicePeaks::builtIn() {
    static const DevicePeaks built_in = [] {
        Result<DevicePeaks> peaks = fromJson(resources::device_peaks, "device_peaks.json");
        return peaks.ok() ? std::move(peaks).value() : DevicePeaks();
    }();
    return built_in;
}

Result<DevicePeaks> DevicePeaks::fromJson(std::string_view json, const std::string& path) {
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    if (document.is_discarded()) {
        return Error{path, {}, "is not valid JSON"};
    }
    DevicePeaks peaks;
    try {
        for (const nlohmann::json& entry : document.at("devices")) {
            peaks.entries_.push_back({entry.at("name").get<std::string>(),
                                      optionalIn<std::int32_t>(entry, "multiprocessors"),
                                      optionalIn<double>(entry, "memory_above_gb"), peakIn(entry)});
        }
    } catch (const nlohmann::json::exception& error) {
        return Error{path, {}, std::string("is not a table of GPU peaks: ") + error.what()};
    }
    if (!std::ranges::all_of(peaks.entries_, isAbove0, &Entry::peak)) {
        return Error{path, {}, "a peak must be above 0"};
    }
    return peaks;
}

std::optional<DevicePeak> DevicePeaks::of(const DeviceProperties& device) const {
    constexpr double kGb = 1e9;
    const auto entry = std::ranges::find_if(entries_, [&](const Entry& e) {
        return holdsWord(device.name, e.name) && (!e.multiprocessors || *e.multiprocessors == device.multiprocessors) &&
               (!e.memory_above_gb || static_cast<double>(device.total_memory_bytes) > *e.memory_above_gb * kGb);
    });
    return entry == entries_.end() ? std::nullopt : std::optional(entry->peak);
}

std::optional<DevicePeak> DevicePeaks::named(std::string_view name) const {
    const DevicePeak* found = nullptr;
    for (const Entry& entry : entries_) {
        if (isSameName(entry.peak.device, name)) {
            return entry.peak;
        }
        found = isSameName(entry.name, name) ? &entry.peak : found;
    }
    return found == nullptr ? std::nullopt : std::optional(*found);
}

std::vector<std::string> DevicePeaks::names() const {
    std::vector<std::string> names;
    std::ranges::transform(entries_, std::back_inserter(names), &Entry::name);
    return names;
}

}  // namespace rankscope
