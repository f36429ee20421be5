// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/write_run.h"

#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/tracegen/kineto_writer.h"
#include "tests/tracegen/truth.h"

namespace rankscope::tracegen {
namespace {

std::vector<SensorSample> sensorsOf(const RunResult& result, int rank) {
    std::vector<TimeSpan> steps;
    std::vector<double> slowdowns;
    for (const StepTruth& step : result.steps[static_cast<std::size_t>(rank)]) {
        slowdowns.push_back(throttlingOf(result.config, rank, static_cast<int>(steps.size())));
        steps.push_back(step.span);
    }
    return sensorSamples(steps, slowdowns);
}

/// Some ranks' files, written while the run is simulated. What other ranks do is dropped.
class RunFiles : public EventSink {
  public:
    RunFiles(const Config& config, const StringPool& names)
        : config_(config), names_(names), files_(static_cast<std::size_t>(config.ranks)) {}

    void open(int rank, const std::filesystem::path& path) {
        File& file = at(rank);
        file.output = openOutput(path);
        file.writer = std::make_unique<KinetoWriter>(config_, rank, names_, *file.output);
        file.writer->begin();
    }
    void take(int rank, std::span<const Event> events) override {
        if (at(rank).writer) {
            at(rank).writer->write(events);
        }
    }
    void writeSensors(const RunResult& result) {
        for (int rank = 0; config_.records_sensors && rank < config_.ranks; ++rank) {
            at(rank).writer->writeSensors(sensorsOf(result, rank));
        }
    }
    void close() {
        for (int rank = 0; rank < config_.ranks; ++rank) {
            if (at(rank).writer) {
                at(rank).writer->end("./" + fileName(rank, false));
                at(rank).output->close();
            }
        }
    }

  private:
    struct File {
        std::unique_ptr<Output> output;
        std::unique_ptr<KinetoWriter> writer;
    };

    File& at(int rank) { return files_[static_cast<std::size_t>(rank)]; }

    const Config& config_;
    const StringPool& names_;
    std::vector<File> files_;
};

}  // namespace

std::string fileName(int rank, bool gzip) {
    return "rank" + std::to_string(rank) + ".pt.trace.json" + (gzip ? ".gz" : "");
}

std::string kinetoText(const RunResult& result, int rank) {
    StringOutput output;
    KinetoWriter writer(result.config, rank, *result.names, output);
    writer.begin();
    writer.write(result.events[static_cast<std::size_t>(rank)]);
    if (result.config.records_sensors) {
        writer.writeSensors(sensorsOf(result, rank));
    }
    writer.end("./" + fileName(rank, false));
    return output.text();
}

void writeRun(const Config& config, const std::filesystem::path& folder, bool gzip) {
    std::filesystem::create_directories(folder);
    const auto names = std::make_shared<StringPool>();
    RunFiles files(config, *names);
    for (int rank = 0; rank < config.ranks; ++rank) {
        files.open(rank, folder / fileName(rank, gzip));
    }
    const RunResult result = simulate(config, names, files);
    files.writeSensors(result);
    files.close();
    const std::filesystem::path named = folder.has_filename() ? folder : folder.parent_path();
    const std::string truth_file = named.string() + ".truth.json";
    std::ofstream truth(truth_file);
    truth << truthOf(result).dump(1) << '\n';
    if (!truth.flush()) {
        throw std::runtime_error("cannot write " + truth_file);
    }
}

void writeRank(const Config& config, int rank, const std::filesystem::path& file) {
    const auto names = std::make_shared<StringPool>();
    RunFiles files(config, *names);
    files.open(rank, file);
    simulate(config, names, files);
    files.close();
}

}  // namespace rankscope::tracegen
