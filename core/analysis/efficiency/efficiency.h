// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/efficiency/device_peaks.h"
#include "core/analysis/efficiency/number_type.h"
#include "core/analysis/model_size.h"
#include "core/analysis/parallelism/role.h"
#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

// How much of the hardware a job uses: facts that measureEfficiency() makes (find_facts.h). See
// docs/definitions/efficiency.md.

/// What the user enters about a step's work and the devices; ModelSize has the model itself.
struct EfficiencyOptions {
    std::optional<double> peak_tflops;  ///< peak of each device for all number types, instead of the table's
    std::optional<double> model_flops;  ///< floating-point operations per sample, forward and backward
    std::optional<double> tokens;       ///< tokens per sample
    std::optional<double> batch;        ///< samples per step, over all ranks; nothing: one

    /// Floating-point operations per step of the whole job: model_flops, else 6 x parameters x tokens plus, if layers,
    /// width and sequence are entered, the attention term 12 x layers x width x sequence x tokens; times batch. Nothing
    /// if neither is given.
    [[nodiscard]] std::optional<double> stepFlops(const ModelSize& model) const;
};

/// A part of a device's time, relative to its peak. The names are fixed: they are in the JSON schema.
enum class TimePart : std::uint8_t {
    Useful,         ///< the time that the counted products would take at the peak of their number types
    Recomputed,     ///< the same time for what a backward recomputes
    ComputeBound,   ///< kernels of counted products below the peak, bound by computation according to the roofline
    MemoryBound,    ///< the same, bound by the memory's bandwidth
    Unrated,        ///< the same, if the peak or the bytes are not known
    Uncounted,      ///< computation outside counted products
    Communication,  ///< exposed, without waiting if that can be separated
    Waiting,        ///< exposed, waiting for other ranks
    Copies,         ///< exposed
    Input,          ///< idle: the DataLoader
    Launches,       ///< idle: launching, and between kernels
    HostWaits,      ///< idle: synchronisation, blocking copies, allocation
    HostStalls,     ///< idle: host threads that did not run
    HostCode,       ///< idle: operators and Python on the host
    OtherIdle,      ///< idle for any other cause
};
inline constexpr std::size_t kTimeParts = 15;
[[nodiscard]] std::string_view timePartName(TimePart part);   ///< as in the JSON: "compute-bound"
[[nodiscard]] std::string_view timePartTitle(TimePart part);  ///< for people: "Compute-bound kernels"

/// Device time by part; the parts add up to the length of their steps, to the nanosecond.
struct PartTimes {
    std::array<DurationNs, kTimeParts> ns{};
    RoleTimes communication;  ///< the part Communication, by role of the group
    [[nodiscard]] DurationNs& operator[](TimePart part) { return ns[static_cast<std::size_t>(part)]; }
    [[nodiscard]] DurationNs operator[](TimePart part) const { return ns[static_cast<std::size_t>(part)]; }
    [[nodiscard]] DurationNs total() const;
    PartTimes& operator+=(const PartTimes& other);
};

/// Work and time of one or several steps of one rank.
struct StepEfficiency {
    DurationNs time_ns = 0;        ///< the length of the steps on the device
    double model_flops = 0;        ///< FLOPs of counted products, except recomputed ones
    double recomputed_flops = 0;   ///< FLOPs of recomputed products
    double useful_ns = 0;          ///< the time for model_flops at the peaks of their types; 0 without a peak
    double recomputed_ns = 0;      ///< the same for recomputed_flops
    DurationNs compute_ns = 0;     ///< the union of all computation
    DurationNs counted_ns = 0;     ///< the part in which a counted product runs
    DurationNs tensor_ns = 0;      ///< part of counted_ns: kernels on tensor cores, by their names
    DurationNs plain_ns = 0;       ///< part of counted_ns: kernels on plain cores, by their names
    ByNumberType<double> flops{};  ///< model and recomputed
    PartTimes parts;               ///< adds up to time_ns

    StepEfficiency& operator+=(const StepEfficiency& other);
    /// Whether anything was counted: else it is unknown how much the device computes.
    [[nodiscard]] bool any() const { return model_flops + recomputed_flops > 0; }
    /// Model FLOPs utilization: useful_ns over the time; nothing without time, or if nothing was counted.
    [[nodiscard]] std::optional<double> mfu() const;
    /// Hardware FLOPs utilization: with recomputed products.
    [[nodiscard]] std::optional<double> hfu() const;
    /// Operations per second in 1e12, of the model; nothing without time, or if nothing was counted.
    [[nodiscard]] std::optional<double> tflops() const;
    /// The share of the computing time in counted products; nothing without computation.
    [[nodiscard]] std::optional<double> countedShare() const;
};

/// How well one rank uses its device.
struct RankEfficiency {
    std::string device;                 ///< its name in the trace; empty if the file does not describe it
    std::optional<DevicePeak> peak;     ///< nothing if the table does not have the device
    std::vector<StepEfficiency> steps;  ///< parallel to RankFacts::steps
    StepEfficiency counted;         ///< the sum over its complete, steady-state steps, or over all steps if it has none
    std::size_t counted_steps = 0;  ///< the number of these steps
    std::size_t priced_steps = 0;   ///< how many of `steps` are priced (pricedSteps())
    bool rated = false;             ///< the peak is known for every number type that it multiplies
    std::size_t operators = 0;      ///< operators that multiply, with device work beneath them
    std::size_t untold = 0;         ///< of these, operators whose inputs do not show their work
};

/// Which limit of the roofline a product is under.
enum class RoofBound : std::uint8_t { Compute, Memory };
[[nodiscard]] std::string_view roofBoundName(RoofBound bound);  ///< as in the JSON: "compute"

/// A slice to jump to.
struct EfficiencyPlace {
    RankPosition rank;
    SliceRef slice;  ///< may be invalid
    DurationNs ns = -1;
};

/// Counted products of one type under one name, over the counted steps of one rank or of all: a point of the roofline.
/// Its texts are valid as long as the run.
struct ProductSums {
    std::string_view name;
    NumberType type = NumberType::Float32;
    std::size_t calls = 0;
    double flops = 0;
    double bytes = 0;                  ///< 0 if they are unknown for some calls
    DurationNs time_ns = 0;            ///< time of its kernels; overlapping kernels count once
    std::optional<bool> tensor_cores;  ///< nothing if no kernel's name shows it
    EfficiencyPlace longest;           ///< the call whose kernels took longest

    /// Adds the work of calls; 0 bytes mean unknown.
    void addWork(double more_flops, double more_bytes);
    [[nodiscard]] std::optional<double> tflops() const;     ///< achieved; nothing without time
    [[nodiscard]] std::optional<double> intensity() const;  ///< FLOPs per byte; nothing without bytes
};

/// The part of a row in the priced steps (pricedSteps()): the rest of the row may cover more steps.
struct PricedProduct {
    double flops = 0;
    double bytes = 0;
    DurationNs time_ns = 0;
    EfficiencyPlace longest;
};

/// All calls of one operator with inputs of the same shapes and types.
struct ProductRow : ProductSums {
    std::string_view shapes;  ///< `Input Dims` as written; empty if only flops were recorded
    bool recomputed = false;
    double peak_ns = 0;  ///< its time at the peak; 0 if that is not known
    /// By how much that is longer than moving its bytes; nothing if the peak, the memory's bandwidth or the bytes are
    /// not known. Calls of one shape may differ: input sizes do not separate filters of 1x1 and 3x3.
    std::optional<double> over_memory_ns;
    PricedProduct priced;

    /// The roof of all its calls together.
    [[nodiscard]] std::optional<RoofBound> bound() const;
    [[nodiscard]] std::optional<double> ofPeak() const;  ///< share of the peak; nothing if unknown
};

/// All kernels of one name that work on counted products: the FLOPs of a product go to its kernels that multiply, in
/// proportion to their time.
struct ProductKernel : ProductSums {};

/// All kernels of one name that compute outside counted products.
struct UncountedKernel {
    std::string_view name;
    std::size_t calls = 0;
    DurationNs time_ns = 0;   ///< durations, summed
    bool multiplies = false;  ///< its name says that it multiplies: its FLOPs are missing
    EfficiencyPlace longest;
};

/// What is counted and what is not, by name: of one rank, or of all.
struct ProductTables {
    std::vector<ProductRow> products;        ///< longest first
    std::vector<ProductKernel> kernels;      ///< longest first
    std::vector<UncountedKernel> uncounted;  ///< longest first
};

/// Why the FLOPs of a run cannot be determined.
enum class NoFlops : std::uint8_t {
    NoDevice,  ///< no device work was recorded
    NoShapes,  ///< operators multiply, but their shapes were not recorded
    NoLaunch,  ///< no operator that multiplies launched anything: graphs, compiled code, or no products
    Untold,    ///< operators that multiply launched work, but their recorded inputs do not show how much
};

/// MFU by FLOPs that the user entered.
struct EnteredEfficiency {
    double step_flops = 0;              ///< FLOPs of the whole job
    bool one_sample = false;            ///< no batch was entered: a step counts as one sample
    std::size_t devices = 0;            ///< devices of the job
    DurationNs step_ns = 0;             ///< RunFacts::pricedStep()
    std::optional<NumberType> type;     ///< the type whose peak is used
    std::optional<double> peak_tflops;  ///< peak of one device; nothing if unknown
    std::optional<double> mfu;
};

/// How much of the hardware the run uses; the inherited tables are those of all ranks together.
struct EfficiencyFacts : ProductTables {
    std::vector<RankEfficiency> ranks;   ///< parallel to Run::ranks
    std::vector<ProductTables> by_rank;  ///< parallel to Run::ranks
    StepEfficiency total;                ///< the sum of the ranks' `counted`
    std::optional<NoFlops> no_flops;     ///< nothing was counted, and why
    std::optional<EnteredEfficiency> entered;
    bool peaks_known = false;  ///< every rank with counted products has a peak for all of their types

    /// Whether anything was counted.
    [[nodiscard]] bool any() const { return total.any(); }
    /// The tables of this rank; without a rank, of all.
    [[nodiscard]] const ProductTables& tablesOf(std::optional<RankPosition> rank) const {
        return rank && *rank < by_rank.size() ? by_rank[*rank] : *this;
    }
    /// MFU and HFU over all ranks; nothing if the peak of some device is not known.
    [[nodiscard]] std::optional<double> mfu() const { return peaks_known && any() ? total.mfu() : std::nullopt; }
    [[nodiscard]] std::optional<double> hfu() const { return peaks_known && any() ? total.hfu() : std::nullopt; }
};

/// The share of their peak that this many devices reach with a step of this many operations: operations / (seconds x
/// devices x peak).
[[nodiscard]] double utilization(double step_flops, double seconds, double devices, double peak_tflops);

}  // namespace rankscope
