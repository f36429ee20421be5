// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/output.h"

#include <zlib.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace rankscope::tracegen {
namespace {

class FileOutput : public Output {
  public:
    explicit FileOutput(const std::filesystem::path& path)
        : name_(path.string()), file_(name_ == "-" ? stdout : std::fopen(name_.c_str(), "wb")) {
        if (file_ == nullptr) {
            throw std::runtime_error("cannot write " + name_);
        }
    }
    FileOutput(const FileOutput&) = delete;
    FileOutput& operator=(const FileOutput&) = delete;
    ~FileOutput() override {
        if (file_ != nullptr && file_ != stdout) {
            std::fclose(file_);
        }
    }
    void write(std::string_view bytes) override {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
            throw std::runtime_error("cannot write " + name_);
        }
    }
    void close() override {
        const bool good = file_ == stdout ? std::fflush(file_) == 0 : std::fclose(file_) == 0;
        file_ = nullptr;
        if (!good) {
            throw std::runtime_error("cannot write " + name_);
        }
    }

  private:
    std::string name_;
    std::FILE* file_;
};

class GzipOutput : public Output {
  public:
    explicit GzipOutput(const std::filesystem::path& path) : file_(path), buffer_(1U << 16U) {
        constexpr int kGzip = 15 + 16;
        if (deflateInit2(&stream_, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::runtime_error("zlib does not start");
        }
    }
    GzipOutput(const GzipOutput&) = delete;
    GzipOutput& operator=(const GzipOutput&) = delete;
    ~GzipOutput() override { deflateEnd(&stream_); }
    void write(std::string_view bytes) override {
        pending_.assign(bytes);
        stream_.next_in = reinterpret_cast<Bytef*>(pending_.data());
        stream_.avail_in = static_cast<uInt>(pending_.size());
        deflateAll(Z_NO_FLUSH);
    }
    void close() override {
        deflateAll(Z_FINISH);
        file_.close();
    }

  private:
    void deflateAll(int flush) {
        do {
            stream_.next_out = buffer_.data();
            stream_.avail_out = static_cast<uInt>(buffer_.size());
            deflate(&stream_, flush);
            const std::size_t made = buffer_.size() - stream_.avail_out;
            file_.write({reinterpret_cast<const char*>(buffer_.data()), made});
        } while (stream_.avail_out == 0);
    }

    FileOutput file_;
    std::vector<Bytef> buffer_;
    std::string pending_;
    z_stream stream_{};
};

}  // namespace

std::unique_ptr<Output> openOutput(const std::filesystem::path& path) {
    if (path.extension() == ".gz") {
        return std::make_unique<GzipOutput>(path);
    }
    return std::make_unique<FileOutput>(path);
}

std::string readOutput(const std::filesystem::path& path) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.string().c_str(), "rb"), gzclose);
    if (!file) {
        throw std::runtime_error("cannot read " + path.string());
    }
    std::string text;
    std::vector<char> buffer(1U << 16U);
    for (int got = 1; got > 0;) {
        got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        if (got < 0) {
            throw std::runtime_error("cannot inflate " + path.string());
        }
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
}

}  // namespace rankscope::tracegen
