// SPDX-License-Identifier: GPL-3.0-or-later
// One iteration of a server of language models: from the batch that the scheduler gives to the tokens that are read.
#include "tests/tracegen/machine/serving_step.h"

#include <array>
#include <cmath>
#include <string>

#include "tests/tracegen/machine/training_step.h"
#include "tests/tracegen/vocabulary.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr std::uint64_t kFirstPlace = 200'000;

constexpr std::string_view kNorm =
    "std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type "
    "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, c10::BFloat16*, c10::BFloat16 const*, float, "
    "int, int)";
constexpr std::string_view kRotary =
    "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*, c10::BFloat16*, c10::BFloat16*, "
    "c10::BFloat16 const*, int, long, long, int, int, int)";
constexpr std::string_view kCache =
    "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16, (vllm::Fp8KVCacheDataType)0>("
    "__nv_bfloat16 const*, __nv_bfloat16 const*, __nv_bfloat16*, __nv_bfloat16*, long const*)";
constexpr std::string_view kSplitAttention =
    "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, false, false, cutlass::bfloat16_t>, "
    "true, false, false, false, true, true, false, false>(flash::Flash_fwd_params)";
constexpr std::string_view kPagedAttention =
    "void vllm::paged_attention_v1_kernel<__nv_bfloat16, __nv_bfloat16, 128, 16, 128, "
    "(vllm::Fp8KVCacheDataType)0, false>(__nv_bfloat16*, __nv_bfloat16 const*, __nv_bfloat16 const*, int, float)";
constexpr std::string_view kActivation =
    "void vllm::act_and_mul_kernel<c10::BFloat16, &vllm::silu_kernel<c10::BFloat16>, true>(c10::BFloat16*, "
    "c10::BFloat16 const*, int)";
constexpr std::string_view kCustomSum =
    "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 4>(vllm::RankData*, vllm::RankSignals, vllm::Signal*, "
    "__nv_bfloat16*, int, int)";
constexpr std::string_view kArgmax =
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::ArgMaxOps<float>, unsigned int, "
    "long, 4> >(at::native::ReduceOp<float, at::native::ArgMaxOps<float>, unsigned int, long, 4>)";

/// An operation of a layer.
struct Piece {
    std::string_view operation;
    std::string_view kernel;
    int per_mille = 0;  ///< of the layer's time
    bool sums = false;  ///< the tensor group adds up what it makes
};

class ServingStep {
  public:
    ServingStep(const Config& config, int rank, int step, StringPool& names, JobCounters& counters)
        : job_(*config.job),
          serving_(*job_.serving),
          prefill_(servedIn(serving_, step) == Served::Prefill),
          builder_(config, rank, step, names, kernelFactorOf(config, rank, step)),
          counters_(counters) {}

    StepProgram build() {
        StepBuilder& b = builder_;
        b.place(kFirstPlace);
        if (serving_.ranges) {
            const auto range = b.annotation(rangeName());
            forward();
        } else {
            forward();
        }
        b.place(kFirstPlace + 1);
        sample();
        b.work(260'000);  // what was made goes to the scheduler, which says what is next
        return {b.take(), {}};
    }

  private:
    [[nodiscard]] std::string rangeName() const {
        const std::string requests = std::to_string(serving_.requests);
        const std::string tokens = std::to_string(serving_.prompt_tokens);
        if (serving_.server == Server::Sglang) {
            return prefill_ ? "step[EXTEND bs=1 toks=" + tokens + "]" : "step[DECODE bs=" + requests + "]";
        }
        return prefill_ ? "execute_context_1(" + tokens + ")_generation_0(0)"
                        : "execute_context_0(0)_generation_" + requests + "(" + requests + ")";
    }

    [[nodiscard]] std::array<Piece, 9> pieces() const {
        const std::string_view gemm = vocabularyOf(Vendor::Cuda, Dialect::Modern).gemm[0];
        const bool paged = serving_.paged_kernels && !prefill_;
        return {{{"_C::fused_add_rms_norm", kNorm, 30},
                 {"aten::linear", gemm, 200},
                 {"_C::rotary_embedding", kRotary, 20},
                 {"_C_cache_ops::reshape_and_cache_flash", kCache, 20},
                 {"vllm::unified_attention_with_output", paged ? kPagedAttention : kSplitAttention, 130},
                 {"aten::linear", gemm, 130, true},
                 {"_C::fused_add_rms_norm", kNorm, 30},
                 {"_C::silu_and_mul", kActivation, 40},
                 {"aten::linear", gemm, 400, true}}};
    }

    [[nodiscard]] DurationNs lengthOf(const Piece& piece) const {
        constexpr DurationNs kMille = 1000;
        return job_.layer_ns * piece.per_mille / kMille * (prefill_ ? serving_.prompt_factor : 1);
    }

    // The server's own kernels take what is small; NCCL, called past PyTorch, the rest.
    [[nodiscard]] CollectiveCall nextSum() {
        CollectiveCall call;
        call.group = groupOf(job_, GroupKind::Tensor, builder_.rank());
        call.elements = job_.activations * (prefill_ ? serving_.prompt_tokens / serving_.requests : 1);
        call.type = ElementType::BFloat16;
        call.sequence = ++counters_.collectives[call.group];
        call.silent = true;
        return call;
    }
    [[nodiscard]] std::string_view sumKernel() const { return prefill_ ? nccl::kAllReduce : kCustomSum; }
    [[nodiscard]] bool divided() const { return job_.tensor > 1; }

    void forward() {
        StepBuilder& b = builder_;
        b.work(prefill_ ? 350'000 : 180'000);  // the batch, its positions and its place in the cache
        b.copy("Memcpy HtoD (Pinned -> Device)", 16'384, 20, false);
        b.label({WorkLabel::Pass::Forward, 0, -1});
        if (!prefill_ && serving_.graphs) {
            replay();
        } else {
            for (int layer = 0; layer < job_.layers; ++layer) {
                eager(layer);
            }
        }
        b.label({});
    }

    void replay() {
        std::vector<StepBuilder::Node> nodes;
        for (int layer = 0; layer < job_.layers; ++layer) {
            for (const Piece& piece : pieces()) {
                nodes.push_back({piece.kernel, lengthOf(piece)});
                if (piece.sums && divided()) {
                    nodes.push_back({sumKernel(), 0, nextSum()});
                }
            }
        }
        builder_.graph(nodes);
    }

    void eager(int layer) {
        StepBuilder& b = builder_;
        b.place(kFirstPlace + 2 + static_cast<std::uint64_t>(layer));
        for (const Piece& piece : pieces()) {
            {
                const auto operation = b.operation(piece.operation);
                b.work(14'000);
                b.kernel(piece.kernel, lengthOf(piece));
            }
            if (piece.sums && divided()) {
                const auto operation = b.operation("vllm::all_reduce");
                b.work(8'000);
                b.collective(nextSum(), sumKernel(), Stream::Compute);
            }
        }
    }

    void sample() {
        StepBuilder& b = builder_;
        {
            const auto operation = b.operation("aten::linear");
            b.work(9'000);
            b.kernel(vocabularyOf(Vendor::Cuda, Dialect::Modern).gemm[0], job_.layer_ns);
        }
        {
            const auto operation = b.operation("aten::argmax");
            b.work(9'000);
            b.kernel(kArgmax, 12'000);
        }
        const auto operation = b.operation("aten::to");
        const auto copy = b.operation("aten::copy_");
        b.work(5'000);
        b.copy("Memcpy DtoH (Device -> Pinned)", 64, 1, !serving_.ahead);
    }

    const JobSpec& job_;
    const ServingSpec& serving_;
    bool prefill_;
    StepBuilder builder_;
    JobCounters& counters_;
};

}  // namespace

StepProgram buildServingStep(const Config& config, int rank, int step, StringPool& names, JobCounters& counters) {
    return ServingStep(config, rank, step, names, counters).build();
}

}  // namespace rankscope::tracegen::machine
