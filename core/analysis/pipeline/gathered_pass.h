// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/base/ids.h"

namespace rankscope {

/// The part of a piece of device work in the pass that it was launched in.
enum class PassPart : std::uint8_t {
    Work,   ///< on the stream that computes most
    Aside,  ///< on another stream: FSDP's copies for its gathers run before or after the pass
    Inner,  ///< communication that the stage needs to continue
    None    ///< other communication
};

/// Finds the parts of the work of one rank. `inner` (sorted: RankExchanges::inner) must outlive it.
class PassParts {
  public:
    PassParts(const DeviceWork& work, const std::vector<SliceRef>& inner);
    [[nodiscard]] PassPart of(const DeviceEvent& event) const;

  private:
    TrackId main_;
    const std::vector<SliceRef>* inner_;
};

/// A pass that is built from pieces of work.
class GatheredPass {
  public:
    GatheredPass() = default;
    explicit GatheredPass(const PipelinePass& named) : pass_(named) {}
    void add(const DeviceEvent& event, PassPart part);
    /// The pass with its span, its number of pieces and the first of them. The span is empty if none of its work ran.
    [[nodiscard]] PipelinePass whole() const;

  private:
    PipelinePass pass_;
    PipelinePass aside_;
    TimeSpan inner_;
};

}  // namespace rankscope
