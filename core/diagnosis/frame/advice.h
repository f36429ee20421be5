// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/facts.h"
#include "core/base/result.h"
#include "core/diagnosis/frame/finding.h"
#include "core/trace/run.h"

namespace rankscope {

/// What a run is for, as far as advice depends on it.
enum class RunPurpose : std::uint8_t {
    Training,  ///< also if unknown
    Forward,   ///< a forward, but no backward and no optimizer: an evaluation, or a model that serves in a loop
    Serving    ///< iterations of a server of language models
};
[[nodiscard]] std::string_view runPurposeName(RunPurpose purpose);  ///< as in advice.json: "training"
[[nodiscard]] RunPurpose purposeOf(const RunFacts& facts);

/// The program that recorded a run: it decides how to record more.
enum class Recorder : std::uint8_t { TorchProfiler, NsightSystems };
[[nodiscard]] Recorder recorderOf(const Run& run);

/// The texts of the findings: titles, remedies and what to record. They are data (resources/advice.json).
class Advice {
  public:
    /// The built-in texts.
    [[nodiscard]] static Advice builtIn();
    [[nodiscard]] static Result<Advice> fromJson(std::string_view json, const std::string& path);

    /// The same texts in another language. `translate` gets each text and its key, such as "dataloader-stall.title".
    [[nodiscard]] Advice translated(
        const std::function<std::string(const std::string& text, const std::string& key)>& translate) const;

    /// The same texts without the remedies for runs of another purpose or recorder.
    [[nodiscard]] Advice of(RunPurpose purpose, Recorder recorder = Recorder::TorchProfiler) const;

    /// The title of a finding, by its id: "GPU waits for input data" for "dataloader-stall". The id itself if the table
    /// has no entry for it.
    [[nodiscard]] std::string title(FindingId id) const;
    /// The state once it is fixed, within a sentence: "the GPU no longer waits for input"; empty if the table has no
    /// entry for it.
    [[nodiscard]] std::string gone(FindingId id) const;
    /// What the finding looks like on the timeline, in a sentence; empty if the table has no entry for it.
    [[nodiscard]] std::string pattern(FindingId id) const;
    /// What to record so that the finding can be judged.
    [[nodiscard]] std::string record(FindingId id) const;
    /// The remedies for a finding, in order: those without a condition, and those whose condition is in `conditions`.
    [[nodiscard]] std::vector<Remedy> remedies(FindingId id, const std::vector<std::string>& conditions) const;
    /// All remedies for a finding, under any conditions, each action once.
    [[nodiscard]] std::vector<Remedy> everyRemedy(FindingId id) const;

  private:
    struct ConditionalRemedy {
        std::string when;
        std::vector<std::string> purposes;  ///< see runPurposeName(); empty: all
        std::string recorder;               ///< as in advice.json: "nsight"; empty: all
        Remedy remedy;
    };
    struct Entry {
        std::string title;
        std::string gone;
        std::string pattern;
        std::string record;
        std::string record_nsight;  ///< empty: as `record`
        std::vector<ConditionalRemedy> remedies;
    };
    std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace rankscope
