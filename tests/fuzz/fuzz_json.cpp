// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/load.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"

namespace rankscope::fuzz {
namespace {

/// Bytes in memory, handed out in pieces, so that values are cut where a file's blocks would cut them.
class MemoryStream final : public ByteStream {
  public:
    explicit MemoryStream(std::string_view text) : text_(text) {}
    std::size_t read(std::span<char> to) override {
        const std::size_t count = std::min(to.size(), text_.size() - at_);
        text_.copy(to.data(), count, at_);
        at_ += count;
        return count;
    }
    [[nodiscard]] std::uint64_t diskPosition() const override { return at_; }
    [[nodiscard]] SeekIndex seekIndex() const override { return {}; }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

void fuzzJson(Input input) {
    MemoryStream stream(textOf(input));
    LoadOptions load;
    load.threads = 1;
    LoadObserver observer;
    FileSource file;
    file.path = "rank0.json";
    file.bytes = input.size();
    Result<RankTrace> trace = loadStream(stream, file, load, observer, {});
    if (!trace.ok()) {
        demand(!trace.error().text().empty(), "a refused trace has a reason");
        return;
    }
    auto run = std::make_shared<Run>();
    run->name = "fuzzed";
    run->ranks = {std::make_shared<const RankTrace>(std::move(trace).value())};
    AnalysisOptions options;
    options.threads = 1;
    if (const auto result = analysed(std::move(run), options)) {
        (void)checkedReport(*result);
    }
}

}  // namespace rankscope::fuzz
