// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/ingest/files/batch_cutter.h"

namespace rankscope {

class PartialTrace;

/// Reads batches of event text into a partial trace: all at once if the batch is valid, else event by event, so that a
/// bad event costs only that event. One per thread.
class EventParser {
  public:
    /// `all_args`: see EventFields.
    EventParser(PartialTrace& into, bool all_args);
    ~EventParser();
    EventParser(const EventParser&) = delete;
    EventParser& operator=(const EventParser&) = delete;
    EventParser(EventParser&&) = delete;
    EventParser& operator=(EventParser&&) = delete;

    /// Parses `batch`, whose buffer it may write to around the text. A stop ends it between two events.
    void parse(TextBatch& batch, const std::stop_token& stop = {});

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rankscope
