// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/base/string_pool.h"
#include "tests/tracegen/dice.h"
#include "tests/tracegen/program.h"
#include "tests/tracegen/vocabulary.h"

namespace rankscope::tracegen {

/// Writes one step of one rank's host program: nested slices, host work and launches, with their chance.
class ProgramBuilder {
  public:
    /// `kernel_factor` lengthens all compute kernels.
    ProgramBuilder(StringPool& names, const Vocabulary& words, Dice dice, double kernel_factor, bool with_stack);

    /// Closes its slice at the end of its life. A slice that is not recorded closes nothing.
    class [[nodiscard]] Scope {
      public:
        explicit Scope(ProgramBuilder* builder) : builder_(builder) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope();

      private:
        ProgramBuilder* builder_;
    };
    /// Draws from `dice` for the length of its life, so that what is drawn meanwhile shifts nothing outside.
    class [[nodiscard]] DiceScope {
      public:
        DiceScope(ProgramBuilder& builder, Dice dice) : builder_(builder), outer_(builder.dice_) {
            builder_.dice_ = dice;
        }
        DiceScope(const DiceScope&) = delete;
        DiceScope& operator=(const DiceScope&) = delete;
        ~DiceScope() { builder_.dice_ = outer_; }

      private:
        ProgramBuilder& builder_;
        Dice outer_;
    };

    Scope operation(std::string_view name, std::int64_t sequence = -1, CollectiveCall collective = {});
    Scope annotation(std::string_view name);
    /// Recorded with stacks only.
    Scope python(std::string_view name);
    /// An operator without children.
    void leaf(std::string_view name, DurationNs ns);

    /// Host time, with jitter.
    void work(DurationNs ns);
    void exactWork(DurationNs ns) { program_.emplace_back(HostWork{ns}); }
    /// Nothing where the profiler does not show the call.
    void call(std::string_view name, DurationNs ns);
    /// `ns`: on the device, before jitter and factors.
    void kernel(std::string_view name, DurationNs ns);
    void libraryKernel(std::string_view name, DurationNs ns);
    void launchCollective(DurationNs transfer_ns, CollectiveCall collective);
    void memory(std::int64_t bytes, std::int64_t allocated, std::int64_t reserved) {
        program_.emplace_back(MemoryChange{bytes, allocated, reserved});
    }
    void copy(std::string_view call, std::string_view name, DurationNs ns, std::int64_t bytes, bool blocking);

    void recordEvent(Stream stream, std::uint32_t event);
    void waitEvent(Stream stream, std::uint32_t event);
    void synchronize(std::string_view call, DurationNs ns, std::optional<Stream> stream);
    void awaitBatch() { program_.emplace_back(AwaitBatch{}); }
    void useThread(Thread thread) { program_.emplace_back(UseThread{thread}); }

    [[nodiscard]] const Vocabulary& words() const { return words_; }
    [[nodiscard]] Dice& dice() { return dice_; }
    [[nodiscard]] Program take() { return std::move(program_); }

  private:
    void open(EventKind kind, std::string_view name, std::int64_t sequence, CollectiveCall collective);
    void launchKernel(std::string_view call, std::string_view name, DurationNs ns);

    Program program_;
    StringPool& names_;
    const Vocabulary& words_;
    Dice dice_;
    double kernel_factor_;
    bool with_stack_;
};

}  // namespace rankscope::tracegen
