// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/simulated_run.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/load.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::accuracy {
namespace {

class TextStream final : public ByteStream {
  public:
    explicit TextStream(std::string_view text) : text_(text) {}
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

std::shared_ptr<const Run> loadSimulated(const tracegen::RunResult& simulated) {
    auto run = std::make_shared<Run>();
    run->name = "simulated";
    LoadOptions options;
    options.threads = 1;  // runs are shared among the cores, not files
    for (int rank = 0; rank < simulated.config.ranks; ++rank) {
        const std::string text = tracegen::kinetoText(simulated, rank);
        TextStream stream(text);
        LoadObserver observer;
        FileSource file;
        file.path = tracegen::fileName(rank, false);
        file.bytes = text.size();
        Result<RankTrace> trace = loadStream(stream, file, options, observer, {});
        if (!trace.ok()) {
            throw std::runtime_error(trace.error().text());
        }
        run->ranks.push_back(std::make_shared<const RankTrace>(std::move(trace).value()));
    }
    return run;
}

}  // namespace rankscope::accuracy
