// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// The kind of a host slice, by its category and name.
enum class HostKind : std::uint8_t {
    Other,         ///< unknown to the analyses
    Operator,      ///< an operator
    Annotation,    ///< a range that the user or PyTorch named
    StepMark,      ///< `ProfilerStep#N`: says nothing about what the host did inside it
    Python,        ///< a Python function
    DataLoader,    ///< the DataLoader's `__next__`
    Sync,          ///< a call that waits for a stream, an event or the device
    AsyncCopy,     ///< a copy call that may return before its copy is done
    BlockingCopy,  ///< a copy call that waits for its copy
    Allocator,     ///< cudaMalloc, cudaFree and their like
    KernelLaunch,  ///< launches kernels
    OtherLaunch,   ///< launches other work: memsets, graphs
    WarmUp,        ///< loads code, or prepares a graph for launch: a job does it once
    OtherCall,     ///< any other runtime or driver call
};

/// The parts of DDP's reducer that have their own price, by PyTorch's ranges around them
/// (torch/csrc/distributed/c10d/reducer.cpp).
enum class ReducerPart : std::uint8_t {
    None,
    SearchUnused,    ///< looks for parameters that the forward did not use: find_unused_parameters=True
    CopyToBucket,    ///< scales a gradient while it is copied into its bucket
    CopyToGradient,  ///< copies a reduced gradient back out of its bucket: gradient_as_bucket_view=False
};
[[nodiscard]] ReducerPart reducerPartOf(std::string_view name);
/// Whether an operator or range of this name communicates with other ranks: "nccl:all_to_all", "c10d::allreduce_".
[[nodiscard]] bool namesCommunication(std::string_view name);

/// Kinds of host slices. Every different name is examined once; a slice then costs one table look-up.
class HostNames {
  public:
    explicit HostNames(const RankTrace& rank);

    /// The kind of a slice with this name and category; HostKind::Other for device categories and for a slice without a
    /// name.
    [[nodiscard]] HostKind kind(StringId name, Category category) const {
        const auto place = static_cast<std::size_t>(category);
        return place < kHostCategories ? of(name).kinds[place] : HostKind::Other;
    }
    /// Operators that read a value from the device, and so wait for it: aten::item, aten::nonzero...
    [[nodiscard]] bool readsDevice(StringId name) const { return of(name).reads_device; }
    /// Operators that belong to a collective: record_param_comms, nccl:*, c10d::*.
    [[nodiscard]] bool communicates(StringId name) const { return of(name).communicates; }
    /// Which part of DDP's reducer a range is.
    [[nodiscard]] ReducerPart reducerPart(StringId name) const { return of(name).reducer_part; }
    /// ATen's own operators, whose names users know.
    [[nodiscard]] bool isAten(StringId name) const { return of(name).aten; }
    /// A Python function of neither PyTorch nor the Python library, by its file: "train.py(54): step".
    [[nodiscard]] bool isUserCode(StringId name) const { return of(name).user_code; }
    /// A call that returns memory to the device, and so waits for all its work: cudaFree and the like, except those in
    /// stream order.
    [[nodiscard]] bool freesDevice(StringId name) const { return of(name).frees_device; }
    /// A call that launches a graph.
    [[nodiscard]] bool launchesGraph(StringId name) const { return of(name).launches_graph; }
    /// A copy from the device to the host, by its device name.
    [[nodiscard]] bool copiesToHost(StringId name) const { return of(name).to_host; }
    /// A copy from the host to the device, by its device name.
    [[nodiscard]] bool copiesToDevice(StringId name) const { return of(name).to_device; }
    /// A copy from or to pageable memory, by its device name.
    [[nodiscard]] bool isPageable(StringId name) const { return of(name).pageable; }

  private:
    /// Operators, ranges, Python and calls: the categories of host threads' slices.
    static constexpr auto kHostCategories = static_cast<std::size_t>(Category::Driver) + 1;

    struct Flags {
        std::array<HostKind, kHostCategories> kinds{};  ///< by category
        ReducerPart reducer_part = ReducerPart::None;
        bool reads_device = false;
        bool communicates = false;
        bool aten = false;
        bool user_code = false;
        bool frees_device = false;
        bool launches_graph = false;
        bool to_host = false;
        bool to_device = false;
        bool pageable = false;
    };
    [[nodiscard]] static Flags flagsOf(std::string_view name);
    [[nodiscard]] const Flags& of(StringId name) const {
        return flags_[std::min<std::size_t>(name.value, flags_.size() - 1)];
    }

    std::vector<Flags> flags_;  // by name; the last entry is for a missing name, with nothing set
};

}  // namespace rankscope
