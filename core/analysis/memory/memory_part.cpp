// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/memory_part.h"

namespace rankscope {

std::string_view memoryPartName(MemoryPart part) {
    switch (part) {
        case MemoryPart::Parameters: return "parameters";
        case MemoryPart::Gradients: return "gradients";
        case MemoryPart::OptimizerState: return "optimizer-state";
        case MemoryPart::Activations: return "activations";
        case MemoryPart::Temporary: return "temporary";
        case MemoryPart::Held: return "held";
        case MemoryPart::Unknown: return "unknown";
    }
    return "unknown";
}

std::string_view memoryPartTitle(MemoryPart part) {
    switch (part) {
        case MemoryPart::Parameters: return "Parameters";
        case MemoryPart::Gradients: return "Gradients";
        case MemoryPart::OptimizerState: return "Optimizer state";
        case MemoryPart::Activations: return "Activations";
        case MemoryPart::Temporary: return "Temporary";
        case MemoryPart::Held: return "Held throughout";
        case MemoryPart::Unknown: return "Cannot tell";
    }
    return "Cannot tell";
}

}  // namespace rankscope
