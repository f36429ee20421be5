// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/products.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/analysis/efficiency/flops.h"
#include "core/analysis/efficiency/matrix_kernels.h"
#include "core/analysis/efficiency/operator_call.h"
#include "core/analysis/efficiency/recomputation.h"

namespace rankscope {
namespace {

/// The outputs of convolutions by the sizes of input and weight, from their backwards: before strides were recorded
/// nothing else shows them.
class ConvolutionOutputs {
  public:
    void add(std::span<const std::int64_t> input, std::span<const std::int64_t> weight,
             std::span<const std::int64_t> output) {
        if (input.empty() || weight.empty() || output.empty()) {
            return;
        }
        TensorSizes sizes(output.begin(), output.end());
        const auto [at, is_new] = outputs_.try_emplace(keyOf(input, weight), sizes);
        if (!is_new && at->second != sizes) {
            at->second.clear();  // two different strides: the output is unknown
        }
    }
    [[nodiscard]] std::span<const std::int64_t> of(const OperatorCall& call) const {
        const auto at = outputs_.find(keyOf(call.tensor(0), call.tensor(1)));
        return at != outputs_.end() ? std::span<const std::int64_t>(at->second) : std::span<const std::int64_t>();
    }

  private:
    using Key = std::pair<TensorSizes, TensorSizes>;
    static Key keyOf(std::span<const std::int64_t> input, std::span<const std::int64_t> weight) {
        return {TensorSizes(input.begin(), input.end()), TensorSizes(weight.begin(), weight.end())};
    }
    std::map<Key, TensorSizes> outputs_;
};

/// The work of calls, computed once per different call.
class WorkBook {
  public:
    explicit WorkBook(const RankTrace& trace) : trace_(trace), reader_(trace), products_(trace.strings.size()) {
        for (const Track& track : trace.tracks) {
            for (std::size_t i = 0; i < track.inputs.size(); ++i) {
                const StringId name = track.slices.name[track.inputs.slice[i]];
                if (productNamed(name) == Product::None) {
                    continue;
                }
                const auto [at, is_new] = calls_.try_emplace(keyOf(name, track.inputs.value[i]));
                if (is_new) {
                    at->second = readEntry(name, track.inputs.value[i]);
                }
            }
        }
        for (auto& [key, entry] : calls_) {
            entry.work = workOf(entry.product, entry.call, {outputs_.of(entry.call), {}});
        }
    }

    struct Told {
        Product product = Product::None;
        std::optional<ProductWork> work;  ///< nothing if unknown
    };
    /// The product and work of a call: from its shapes, or as recorded if these do not show it.
    [[nodiscard]] Told of(SliceRef call, const OperatorInputs& inputs) {
        Told told = byShapes(call, inputs);
        if (!told.work && inputs.flops > 0) {
            told.work = ProductWork{.flops = inputs.flops, .bytes = 0, .type = recordedType(call, inputs)};
        }
        return told;
    }

  private:
    [[nodiscard]] Told byShapes(SliceRef call, const OperatorInputs& inputs) {
        const Entry* const entry = entryOf(call, inputs);
        if (entry == nullptr) {
            return {};
        }
        switch (entry->product) {
            case Product::ConvolutionWeight: return {entry->product, ofWeight(call, *entry)};
            case Product::AttentionNodeBackward: return {entry->product, ofNode(call, kAttentionBackward)};
            case Product::FusedLinearBackward: return {entry->product, ofNode(call, kLinearBackward)};
            default: return {entry->product, entry->work};
        }
    }

    /// The type of the first argument that has one: the arguments of a product have one type.
    [[nodiscard]] std::optional<NumberType> recordedType(SliceRef call, const OperatorInputs& inputs) const {
        const Entry* const entry = entryOf(call, inputs);
        std::optional<NumberType> type;
        for (std::size_t i = 0; entry != nullptr && i < entry->call.types.size() && !type; ++i) {
            type = numberTypeOf(entry->call.types[i]);
        }
        return type;
    }

    using Key = std::array<std::uint32_t, 4>;
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio
            std::uint64_t hash = 0;
            for (const std::uint32_t id : key) {
                hash = (hash ^ id) * kSpread;
                hash ^= hash >> 32U;
            }
            return hash;
        }
    };
    struct Entry {
        Product product = Product::None;
        OperatorCall call;
        std::optional<ProductWork> work;
    };
    static Key keyOf(StringId name, const OperatorInputs& inputs) {
        return {name.value, inputs.shapes.value, inputs.types.value, inputs.values.value};
    }

    /// Looked up once per name: most operators do not multiply, and are skipped.
    Product productNamed(StringId name) {
        std::optional<Product>& known = products_[name.value];
        if (!known) {
            known = productOf(trace_.strings.view(name));
        }
        return *known;
    }

    Entry readEntry(StringId name, const OperatorInputs& inputs) {
        Entry entry{productNamed(name), reader_.read(inputs), {}};
        if (entry.product == Product::ConvolutionBackward) {
            outputs_.add(entry.call.tensor(1), entry.call.tensor(2), entry.call.tensor(0));
        } else if (entry.product == Product::ConvolutionParts) {
            outputs_.add(entry.call.tensor(0), entry.call.tensor(2), entry.call.tensor(1));
        }
        return entry;
    }

    /// Null for operators that do not multiply.
    const Entry* entryOf(SliceRef call, const OperatorInputs& inputs) const {
        const StringId name = trace_.track(call).slices.name[call.slice];
        if (products_[name.value] == Product::None) {
            return nullptr;
        }
        const auto at = calls_.find(keyOf(name, inputs));
        return at != calls_.end() ? &at->second : nullptr;
    }

    /// The gradient of a weight, whose size is recorded on the backward around it.
    std::optional<ProductWork> ofWeight(SliceRef call, const Entry& entry) const {
        const Track& track = trace_.track(call);
        for (SliceIndex at = track.slices.parent[call.slice]; at != kNoSlice; at = track.slices.parent[at]) {
            const OperatorInputs* const inputs = track.inputs.find(at);
            const Entry* const around = inputs != nullptr ? entryOf({call.track, at}, *inputs) : nullptr;
            if (around != nullptr && around->product == Product::ConvolutionParts) {
                return workOf(Product::ConvolutionWeight, entry.call, {{}, around->call.tensor(2)});
            }
        }
        return std::nullopt;
    }

    /// An autograd node, by the forward that it belongs to.
    std::optional<ProductWork> ofNode(SliceRef node, double factor) {
        if (forward_of_.empty()) {
            for (const Flow& flow : trace_.flows) {
                forward_of_.emplace(flow.to, flow.from);
            }
        }
        const auto forward = forward_of_.find(node);
        const OperatorInputs* const inputs =
            forward != forward_of_.end() ? trace_.track(forward->second).inputs.find(forward->second.slice) : nullptr;
        const Entry* const entry = inputs != nullptr ? entryOf(forward->second, *inputs) : nullptr;
        std::optional<ProductWork> work = entry != nullptr ? entry->work : std::nullopt;
        if (work) {
            work->flops *= factor;
            work->bytes *= 2;
        }
        return work;
    }

    const RankTrace& trace_;
    CallReader reader_;
    std::vector<std::optional<Product>> products_;  // by name
    ConvolutionOutputs outputs_;
    std::unordered_map<Key, Entry, KeyHash> calls_;
    std::map<SliceRef, SliceRef> forward_of_;
};

/// The computation of a device by the calls that launched it.
class LaunchedKernels {
  public:
    LaunchedKernels(const DeviceWork& device, std::size_t tracks) : device_(device), on_track_(tracks) {
        for (std::size_t i = 0; i < device.events.size(); ++i) {
            const DeviceEvent& event = device.events[i];
            if (event.work == WorkClass::Compute && event.launch.valid()) {
                on_track_[event.launch.track.value].emplace_back(event.launch, static_cast<std::uint32_t>(i));
            }
        }
        for (std::vector<Launched>& launched : on_track_) {
            if (!std::ranges::is_sorted(launched)) {  // usually true on one stream
                std::ranges::sort(launched);
            }
        }
    }

    /// The indices in DeviceWork::events of work launched by slices `first` to `last` (excluded) of a track.
    [[nodiscard]] auto in(TrackId track, SliceIndex first, SliceIndex last) const {
        const std::vector<Launched>& launched = on_track_[track.value];
        const auto begin = std::ranges::lower_bound(launched, SliceRef{track, first}, {}, &Launched::first);
        const auto end = std::ranges::lower_bound(begin, launched.end(), SliceRef{track, last}, {}, &Launched::first);
        return std::span(begin, end);
    }
    [[nodiscard]] const DeviceWork& device() const { return device_; }

  private:
    using Launched = std::pair<SliceRef, std::uint32_t>;
    const DeviceWork& device_;
    std::vector<std::vector<Launched>> on_track_;  // by track, by launch
};

/// The type in the names of a product's kernels, if no type was recorded.
class TypeByNames {
  public:
    void add(std::optional<NumberType> type) {
        if (!type || type == type_) {
            return;
        }
        // Some float32 products may be rounded, and others run on plain cores.
        const bool rounds = type == NumberType::Tf32 && type_ == NumberType::Float32;
        several_ = several_ || (type_ && !rounds && !(type == NumberType::Float32 && type_ == NumberType::Tf32));
        type_ = type_ && !rounds ? type_ : type;
    }
    /// Nothing if no name shows it, or if they contradict each other.
    [[nodiscard]] std::optional<NumberType> type() const { return several_ ? std::nullopt : type_; }

  private:
    std::optional<NumberType> type_;
    bool several_ = false;
};

/// More than a device does in hours is not one operator's work, whatever a damaged file says.
constexpr double kMostOfOneCall = 1e19;

class ProductFinder {
  public:
    ProductFinder(const RankTrace& trace, const DeviceWork& device, KernelKinds& kinds)
        : trace_(trace), work_(trace), kernels_(device, trace.tracks.size()), kinds_(kinds), recomputation_(trace) {
        found_.of_events.assign(device.events.size(), RankProducts::kNone);
    }

    RankProducts find() {
        for (TrackId track{0}; track.value < trace_.tracks.size(); ++track.value) {
            if (trace_.tracks[track.value].kind == TrackKind::CpuThread) {
                findOn(track);
            }
        }
        return std::move(found_);
    }

  private:
    void findOn(TrackId id) {
        const Track& track = trace_.tracks[id.value];
        TimeNs counted_until_ns = std::numeric_limits<TimeNs>::min();
        TimeNs seen_until_ns = counted_until_ns;
        std::size_t told = found_.calls.size();
        for (std::size_t i = 0; i < track.inputs.size(); ++i) {
            const SliceRef call{id, track.inputs.slice[i]};
            const TimeSpan span = trace_.span(call);
            if (span.start_ns < counted_until_ns) {
                continue;
            }
            const bool outermost = span.start_ns >= seen_until_ns;
            if (outermost) {
                closeOutermost(told);
                told = found_.calls.size();
                seen_until_ns = span.end_ns;
                outermost_works_ = !launchedIn(call).empty();
            }
            if (count(call, track.inputs.value[i])) {
                counted_until_ns = span.end_ns;
            }
        }
        closeOutermost(told);
    }

    /// Notes whether anything was counted in an outermost operator.
    void closeOutermost(std::size_t calls_before) {
        if (std::exchange(outermost_works_, false)) {
            ++found_.operators;
            found_.untold += found_.calls.size() == calls_before ? 1U : 0U;
        }
    }

    [[nodiscard]] auto launchedIn(SliceRef call) const -> std::span<const std::pair<SliceRef, std::uint32_t>> {
        const SliceTable& slices = trace_.track(call).slices;
        const auto from = slices.start_ns.begin() + call.slice + 1;
        const auto last = std::lower_bound(from, slices.start_ns.end(), slices.end_ns[call.slice]);
        return kernels_.in(call.track, call.slice, static_cast<SliceIndex>(last - slices.start_ns.begin()));
    }

    bool count(SliceRef call, const OperatorInputs& inputs) {
        const auto [what, work] = work_.of(call, inputs);
        if (!work || work->flops <= 0 || work->flops > kMostOfOneCall) {
            return false;
        }
        const auto launched = launchedIn(call);
        CountedProduct product{.call = call,
                               .shapes = inputs.shapes,
                               .type = {},
                               .flops = work->flops,
                               .bytes = work->bytes,
                               .recomputed = false,
                               .multiplying_ns = 0,
                               .named = false,
                               .tensor_cores = {}};
        const std::optional<NumberType> type = readKernels(launched, work->type, product);
        if (launched.empty() || !type) {
            return false;
        }
        product.type = *type;
        product.bytes *= work->type ? 1 : static_cast<double>(bytesOf(*type)) / static_cast<double>(kUntoldBytes);
        product.recomputed = recomputation_.holds(call, what);
        for (const auto& [launch, event] : launched) {
            found_.of_events[event] = static_cast<std::uint32_t>(found_.calls.size());
        }
        found_.calls.push_back(product);
        return true;
    }

    /// What its kernels show about a product; returns its type from them, given the recorded `type`.
    std::optional<NumberType> readKernels(std::span<const std::pair<SliceRef, std::uint32_t>> launched,
                                          std::optional<NumberType> type, CountedProduct& product) {
        DurationNs all_ns = 0;
        TypeByNames named;
        for (const auto& [launch, event] : launched) {
            const DeviceEvent& kernel = kernels_.device().events[event];
            const KernelKind& kind = kinds_.of(kernel.ref);
            all_ns += kernel.span.length();
            if (!kind.multiplies) {
                continue;
            }
            product.named = true;
            product.multiplying_ns += kernel.span.length();
            if (kind.tensor_cores) {
                product.tensor_cores = product.tensor_cores.value_or(false) || *kind.tensor_cores;
            }
            named.add(kind.type);
            if (kind.tf32 && type == NumberType::Float32) {
                type = NumberType::Tf32;
            }
            type = kind.float8 ? NumberType::Float8 : type;
        }
        if (!product.named) {
            product.multiplying_ns = all_ns;
        }
        return type ? type : named.type();
    }

    const RankTrace& trace_;
    WorkBook work_;
    LaunchedKernels kernels_;
    KernelKinds& kinds_;
    Recomputation recomputation_;
    RankProducts found_;
    bool outermost_works_ = false;
};

}  // namespace

RankProducts findProducts(const RankTrace& trace, const DeviceWork& device, KernelKinds& kinds) {
    return ProductFinder(trace, device, kinds).find();
}

}  // namespace rankscope
