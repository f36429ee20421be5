// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/remedy_cost.h"

namespace rankscope {

std::string_view remedyKindName(RemedyKind kind) {
    switch (kind) {
        case RemedyKind::FirstWorkers: return "first-workers";
        case RemedyKind::MoreWorkers: return "more-workers";
        case RemedyKind::PinnedMemory: return "pinned-memory";
        case RemedyKind::Overlap: return "overlap";
        case RemedyKind::SmallerBuckets: return "smaller-buckets";
        case RemedyKind::LargerBuckets: return "larger-buckets";
        case RemedyKind::Graphs: break;
    }
    return "graphs";
}

std::string_view costTermName(CostTerm term) {
    switch (term) {
        case CostTerm::BusyCores: return "busy-cores";
        case CostTerm::BatchHandOver: return "batch-hand-over";
        case CostTerm::FreshPages: return "fresh-pages";
        case CostTerm::PinCopy: return "pin-copy";
        case CostTerm::SlowerCompute: return "slower-compute";
        case CostTerm::NothingToHide: return "nothing-to-hide";
        case CostTerm::SentLater: return "sent-later";
        case CostTerm::GraphPauses: return "graph-pauses";
        case CostTerm::NotReached: break;
    }
    return "not-reached";
}

std::string_view costSourceName(CostSource source) {
    return source == CostSource::Measured ? "measured" : "assumed";
}

}  // namespace rankscope
