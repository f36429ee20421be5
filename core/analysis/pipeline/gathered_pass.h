// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/base/ids.h"

namespace rankscope {

/// What a piece of device work is to the pass that it was launched in.
enum class PassPart : std::uint8_t {
    Work,   ///< on the stream that computes most
    Aside,  ///< on another: what FSDP puts together for its gathers runs before its pass, and after it
    Inner,  ///< communication that the stage needs to go on
    None    ///< other communication
};

/// Tells that of the work of one rank. `inner` (sorted: RankExchanges::inner) must outlive it.
class PassParts {
  public:
    PassParts(const DeviceWork& work, const std::vector<SliceRef>& inner);
    [[nodiscard]] PassPart of(const DeviceEvent& event) const;

  private:
    TrackId main_;
    const std::vector<SliceRef>* inner_;
};

/// A pass of which pieces of work are put together.
class GatheredPass {
  public:
    GatheredPass() = default;
    explicit GatheredPass(const PipelinePass& named) : pass_(named) {}
    void add(const DeviceEvent& event, PassPart part);
    /// With its span, its pieces and the first of them. Nothing of it ran where the span is empty.
    [[nodiscard]] PipelinePass whole() const;

  private:
    PipelinePass pass_;
    PipelinePass aside_;
    TimeSpan inner_;
};

}  // namespace rankscope
