// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/repeat_trace.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/kineto/json_text.h"

namespace rankscope::bench {
namespace {

constexpr std::array<std::string_view, 4> kIdKeys = {
    "\"correlation\": ", "\"id\": ", "\"External id\": ", "\"external id\": "};
constexpr std::string_view kTimeKey = "\"ts\": ";

/// A number in an event that is to be moved.
struct Number {
    std::size_t at = 0;
    std::size_t length = 0;
    std::int64_t value = 0;
    bool time = false;
};

/// One event's text with the numbers in it, in order.
struct Event {
    std::string_view text;
    std::vector<Number> numbers;
};

void findNumbers(Event& event, std::string_view key, bool time) {
    for (std::size_t at = event.text.find(key); at != kNowhere; at = event.text.find(key, at + 1)) {
        const std::size_t start = at + key.size();
        std::int64_t value = 0;
        const char* const begin = event.text.data() + start;
        const auto [end, error] = std::from_chars(begin, event.text.data() + event.text.size(), value);
        if (error == std::errc()) {
            event.numbers.push_back({start, static_cast<std::size_t>(end - begin), value, time});
        }
    }
}

struct Window {
    std::int64_t first_us = INT64_MAX;
    std::int64_t last_us = INT64_MIN;
    std::int64_t largest_id = 0;
};

std::vector<Event> splitEvents(std::string_view text, std::size_t at, Window& window) {
    std::vector<Event> events;
    while ((at = text.find('{', at)) != kNowhere) {
        const std::size_t end = endOfValue(text, at);
        if (end == kNowhere) {
            break;
        }
        Event event{text.substr(at, end - at), {}};
        findNumbers(event, kTimeKey, true);
        for (const std::string_view key : kIdKeys) {
            findNumbers(event, key, false);
        }
        std::ranges::sort(event.numbers, {}, &Number::at);
        for (const Number& number : event.numbers) {
            if (!number.time) {
                window.largest_id = std::max(window.largest_id, number.value);
            } else if (number.value > 0) {
                window.first_us = std::min(window.first_us, number.value);
                window.last_us = std::max(window.last_us, number.value);
            }
        }
        events.push_back(std::move(event));
        at = end;
        at = skipSpace(text, at);
        if (at < text.size() && text[at] == ']') {
            break;
        }
    }
    return events;
}

}  // namespace

std::string readAll(const std::filesystem::path& file) {
    auto stream = openByteStream({file.string(), "", 0});
    if (!stream.ok()) {
        throw std::runtime_error(stream.error().text());
    }
    std::string text;
    constexpr std::size_t kStep = 1U << 20U;
    while (true) {
        const std::size_t before = text.size();
        text.resize(before + kStep);
        const std::size_t got = stream.value()->read({text.data() + before, kStep});
        text.resize(before + got);
        if (got < kStep) {
            return text;
        }
    }
}

void repeatTrace(const std::string& trace, std::uint64_t bytes, const TextSink& sink) {
    const std::size_t start = behindTraceEvents(trace, 0);
    Window window;
    const std::vector<Event> events = splitEvents(trace, start, window);
    const std::int64_t period_us = window.last_us - window.first_us + 1000;
    std::uint64_t written = start;
    sink(std::string_view(trace).substr(0, start));
    std::string out;
    for (std::int64_t round = 0; written < bytes; ++round) {
        for (const Event& event : events) {
            out.assign(round == 0 && &event == &events.front() ? "\n  " : ",\n  ");
            std::size_t at = 0;
            for (const Number& number : event.numbers) {
                out += event.text.substr(at, number.at - at);
                out += std::to_string(number.value + round * (number.time ? period_us : window.largest_id + 1));
                at = number.at + number.length;
            }
            out += event.text.substr(at);
            sink(out);
            written += out.size();
        }
    }
    sink("\n]}");
}

void repeatTraceToFile(const std::string& trace, std::uint64_t bytes, const std::filesystem::path& file) {
    const bool packed = file.extension() == ".gz";
    if (std::filesystem::exists(file) && (packed || std::filesystem::file_size(file) >= bytes)) {
        return;
    }
    std::filesystem::create_directories(file.parent_path());
    const std::filesystem::path unfinished = file.string() + ".part";
    if (packed) {
        gzFile out = gzopen(unfinished.c_str(), "wb6");
        repeatTrace(trace, bytes, [&](std::string_view t) { gzwrite(out, t.data(), static_cast<unsigned>(t.size())); });
        gzclose(out);
    } else {
        std::ofstream out(unfinished, std::ios::binary);
        repeatTrace(trace, bytes,
                    [&](std::string_view t) { out.write(t.data(), static_cast<std::streamsize>(t.size())); });
    }
    std::filesystem::rename(unfinished, file);
}

}  // namespace rankscope::bench
