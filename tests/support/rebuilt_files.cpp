// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rebuilt_files.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cctype>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/load.h"

namespace rankscope::test {
namespace {

/// Replaces each whole number directly behind `key` by what `changed` makes of it.
std::string changeNumbers(const std::string& text, std::string_view key,
                          const std::function<std::string(std::int64_t number)>& changed) {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, copied)) {
        const std::size_t begin = at + key.size();
        std::size_t end = begin;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) {
            ++end;
        }
        out += text.substr(copied, begin - copied) +
               (end > begin ? changed(std::stoll(text.substr(begin, end - begin))) : std::string());
        copied = end;
    }
    return out + text.substr(copied);
}

/// Leaves out the lines that contain `part`.
std::string withoutLines(const std::string& text, std::string_view part) {
    std::string out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        out += line.find(part) == std::string_view::npos ? line : std::string_view();
        begin = end;
    }
    return out;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace

std::string unpackedText(const std::filesystem::path& path) {
    auto stream = openByteStream({path.string(), {}});
    std::string text;
    if (!stream.ok()) {
        ADD_FAILURE() << stream.error().text();
        return text;
    }
    std::vector<char> buffer(std::size_t{1} << 20U);
    for (std::size_t got = stream.value()->read(buffer); got > 0; got = stream.value()->read(buffer)) {
        text.append(buffer.data(), got);
    }
    return text;
}

std::string recordedLater(const std::string& text, std::int64_t seconds, std::int64_t steps) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::string moved = changeNumbers(text, "\"baseTimeNanoseconds\": ", [seconds](std::int64_t base_ns) {
        return std::to_string(base_ns + seconds * kSecond);
    });
    EXPECT_NE(moved, text) << "no baseTimeNanoseconds";
    return changeNumbers(moved, "ProfilerStep#", [steps](std::int64_t step) { return std::to_string(step + steps); });
}

std::string withoutStepMarks(const std::string& text) {
    return replaced(text, "ProfilerStep#", "step of the user ");
}

std::string withoutRank(const std::string& text) {
    return replaced(withoutLines(text, "\"distributedInfo\""), "\"Rank\": ", "\"Was rank\": ");
}

std::string withoutOperators(const std::string& text) {
    nlohmann::ordered_json trace = nlohmann::ordered_json::parse(text);
    nlohmann::ordered_json& events = trace.at("traceEvents");
    const auto is_named = [](const nlohmann::ordered_json& event) {
        const std::string category = event.value("cat", std::string());
        return category == "cpu_op" || category == "python_function" || category == "fwdbwd" ||
               category.ends_with("user_annotation");
    };
    events.erase(std::remove_if(events.begin(), events.end(), is_named), events.end());
    return trace.dump();
}

std::string withoutHost(const std::string& text) {
    return withoutLines(text, "\"host_name\"");
}

}  // namespace rankscope::test
