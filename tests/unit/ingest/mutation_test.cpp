// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sound trace with one byte changed, or a piece cut out: whatever it becomes, nothing crashes, and what stands away
// from the change is read.

#include "core/ingest/load.h"
#include "tests/support/random.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

using namespace std::string_view_literals;

constexpr int kEvents = 40;

std::string soundTrace() {
    std::vector<std::string> events;
    for (int i = 0; i < kEvents; ++i) {
        EventLine line;
        line.name = "event " + std::to_string(i);
        line.ts = std::to_string(100 + i * 10);
        line.args = "\"External id\": " + std::to_string(i) + R"(, "Input Dims": [[1, 2], []], "t": "a\"b")";
        events.push_back(eventJson(line));
    }
    return traceJson(events);
}

/// How many slices are left; 0 where the file is refused.
std::uint64_t slicesOf(const std::string& text) {
    const TempFolder folder;
    LoadObserver observer;
    LoadOptions options;
    options.threads = 1;
    const Result<RankTrace> result = loadFile({folder.write("t.json", text), "", text.size()}, options, observer, {});
    return result.ok() ? result.value().health.slices : 0;
}

TEST(Mutations, OneChangedByteCostsAtMostTheEventsItTouches) {
    const std::string sound = soundTrace();
    const std::size_t first = sound.find("\"ph\"");
    const std::size_t last = sound.rfind("\"args\"");
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        Random random(seed);
        std::string text = sound;
        const std::size_t at = first + random.below(last - first);
        constexpr std::string_view kNasty = "\"\\{}[],:\x01\xff\0 x0-"sv;
        const char was = text[at];
        text[at] = kNasty[random.below(kNasty.size())];
        EXPECT_GE(slicesOf(text), kEvents - 2U) << "byte " << at << ": '" << was << "' became '" << text[at] << "' in\n"
                                                << text.substr(at - std::min<std::size_t>(at, 120), 240);
    }
}

TEST(Mutations, APieceCutOutCostsAtMostTheEventsItTouches) {
    const std::string sound = soundTrace();
    const std::size_t first = sound.find("\"ph\"");
    const std::size_t last = sound.rfind("\"args\"");
    const std::size_t event_bytes = (last - first) / kEvents;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Random random(seed);
        std::string text = sound;
        const std::size_t length = 1 + random.below(300);
        const std::size_t at = first + random.below(last - first - length);
        text.erase(at, length);
        EXPECT_GE(slicesOf(text) + length / event_bytes + 3, static_cast<std::uint64_t>(kEvents))
            << length << " bytes at " << at;
    }
}

TEST(Mutations, NoiseIsRefusedOrReadButNeverCrashes) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        std::string text = soundTrace();
        for (std::size_t i = 0; i < 200; ++i) {
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        }
        EXPECT_LE(slicesOf(text), kEvents + 0U);
    }
}

}  // namespace
}  // namespace rankscope::test
