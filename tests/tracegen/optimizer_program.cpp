// SPDX-License-Identifier: GPL-3.0-or-later
// Adam with foreach: eight operators over all parameters at once.
#include <array>

#include "tests/tracegen/step_program.h"

namespace rankscope::tracegen {
namespace {

struct ForeachPart {
    std::string_view operation;
    std::string_view kernel;
    int percent;  ///< of the device time
};

constexpr std::array<ForeachPart, 8> kAdam = {{
    {"aten::_foreach_add_", kernels::kForeachUnary, 2},
    {"aten::_foreach_lerp_", kernels::kForeachBinary, 17},
    {"aten::_foreach_mul_", kernels::kForeachUnary, 11},
    {"aten::_foreach_addcmul_", kernels::kForeachPointwise, 17},
    {"aten::_foreach_sqrt", kernels::kForeachUnary, 12},
    {"aten::_foreach_div_", kernels::kForeachUnary, 12},
    {"aten::_foreach_add_", kernels::kForeachUnary, 10},
    {"aten::_foreach_addcdiv_", kernels::kForeachPointwise, 19},
}};

}  // namespace

void buildOptimizer(ProgramBuilder& b, const StepContext& context) {
    const ProgramBuilder::DiceScope own(b, context.dice(Draw::Optimizer));
    const auto python = b.python("torch/optim/adam.py(213): step");
    const auto step = b.annotation("Optimizer.step#Adam.step");
    b.work(180'000);
    for (const ForeachPart& part : kAdam) {
        {
            const auto operation = b.operation(part.operation);
            b.work(14'000);
            b.kernel(part.kernel, context.model.adam_ns * part.percent / 100);
        }
        b.work(18'000);
    }
    b.work(30'000);
}

}  // namespace rankscope::tracegen
