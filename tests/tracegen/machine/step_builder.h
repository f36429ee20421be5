// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/string_pool.h"
#include "tests/tracegen/dice.h"
#include "tests/tracegen/machine/config.h"
#include "tests/tracegen/machine/program.h"
#include "tests/tracegen/vocabulary.h"

namespace rankscope::tracegen::machine {

/// Chance of the machine is named by these keys, with rank, step and place after them: a run with a fault and the run
/// without it draw the same numbers for all that they share.
enum class Key : std::uint64_t { Rank = 0x3ac1, Step, Place, Turn, Young, Clock, Background, Healthy };

[[nodiscard]] Dice diceOf(const Config& config, Key key, int rank, int step, std::uint64_t place = 0);

/// What the slices of the machine are called: in CUDA's words, and a recent PyTorch's.
[[nodiscard]] const Vocabulary& words();

/// The rank that has the uneven batch of a step.
[[nodiscard]] int turnOf(const Config& config, int step);

/// Writes the program of one thread: nested slices, host work and launches, with their chance.
class StepBuilder {
  public:
    /// `kernel_factor` lengthens all kernels but communication.
    StepBuilder(const Config& config, int rank, int step, StringPool& names, double kernel_factor);

    /// Closes its slice at the end of its life.
    class [[nodiscard]] Scope {
      public:
        explicit Scope(StepBuilder& builder) : builder_(builder) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() { builder_.close(); }

      private:
        StepBuilder& builder_;
    };
    Scope operation(std::string_view name, std::int64_t sequence = -1, CollectiveCall collective = {});
    Scope annotation(std::string_view name);
    Scope python(std::string_view name);

    /// Draws all that follows from the chance of this place, until the next one.
    void place(std::uint64_t index);
    /// Host work of about this length, with what the host's noise makes of it.
    void work(DurationNs ns);
    /// From here on launches and the work between them are in CUDA graphs, cut where something else is done; or not.
    void capture(bool captures);
    /// Host work of this very length on a host of usual speed.
    void exactWork(DurationNs ns);
    void rest(DurationNs ns) { emit(Rest{ns}); }
    void kernel(std::string_view name, DurationNs ns, Stream stream = Stream::Compute);
    /// One launch of all of these.
    struct Node {
        std::string_view name;
        DurationNs ns = 0;
        CollectiveCall collective = {};
    };
    void graph(const std::vector<Node>& nodes);
    void copy(std::string_view name, std::int64_t bytes, double bytes_per_ns, bool blocking);
    void collective(const CollectiveCall& call);
    void collective(const CollectiveCall& call, std::string_view name, Stream stream);
    /// One kernel for all of these messages.
    void messages(std::vector<CollectiveCall> batch, std::string_view name, Stream stream);
    void recordEvent(Stream stream, std::uint32_t event);
    void waitEvent(Stream stream, std::uint32_t event);
    void synchronize(std::string_view call, std::optional<Stream> stream);
    void synchronizeEvent(std::uint32_t event);
    void call(std::string_view name, DurationNs ns);
    void takeBatch() { emit(TakeBatch{}); }
    void runBackward(std::size_t program = 0) { emit(RunBackward{program}); }
    /// What is launched from here on is this part of the step.
    void label(const WorkLabel& label) { label_ = label; }
    [[nodiscard]] const WorkLabel& label() const { return label_; }
    [[nodiscard]] StringId nameOf(std::string_view text) { return names_.intern(text); }

    [[nodiscard]] const Config& config() const { return config_; }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int step() const { return step_; }
    [[nodiscard]] const RankSpec& spec() const { return config_.ranks[static_cast<std::size_t>(rank_)]; }
    [[nodiscard]] Program take() { return std::move(program_); }

  private:
    /// What the open operators, and a kernel of this name, do to durations.
    struct Factors {
        double device = 1;
        double host = 1;
    };
    [[nodiscard]] Factors factorsOf(std::string_view kernel) const;
    void close();
    /// Adds to the program, behind the graph that is captured so far.
    void emit(Instruction instruction);
    void launchCaptured();
    [[nodiscard]] DurationNs onHost(DurationNs ns);
    [[nodiscard]] DurationNs onDevice(DurationNs ns);
    [[nodiscard]] DeviceWork kernelWork(std::string_view name, DurationNs ns);
    void launch(std::string_view call, DurationNs call_ns, DurationNs latency_ns, std::vector<DeviceWork> work,
                bool blocking);
    void open(EventKind kind, std::string_view name, std::int64_t sequence, const CollectiveCall& collective);

    const Config& config_;
    int rank_;
    int step_;
    StringPool& names_;
    double kernel_factor_;
    Dice dice_;
    WorkLabel label_;
    std::vector<std::string> open_;
    bool captures_ = false;
    std::vector<DeviceWork> captured_;
    Program program_;
};

}  // namespace rankscope::tracegen::machine
