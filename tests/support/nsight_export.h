// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace rankscope::test {

/// Writes an export of Nsight Systems row by row, with the tables and columns that its schema 3.25 has, as far as they
/// are read.
class NsightExport {
  public:
    NsightExport();

    /// A global id of a thread; of the process if the thread is 0.
    [[nodiscard]] static std::int64_t global(std::int64_t pid, std::int64_t thread);

    void kernel(std::int64_t pid, std::int64_t device, std::int64_t stream, std::int64_t start, std::int64_t end,
                std::int64_t correlation, const std::string& name);
    void copy(std::int64_t pid, std::int64_t device, std::int64_t stream, std::int64_t start, std::int64_t end,
              std::int64_t correlation, int kind, int from, std::int64_t bytes);
    void call(std::int64_t pid, std::int64_t thread, std::int64_t start, std::int64_t end, std::int64_t correlation,
              const std::string& name);
    void range(std::int64_t pid, std::int64_t thread, std::int64_t start, std::int64_t end, const std::string& text,
               const std::string& payload = {});
    /// Any statement, as for tables that few exports have.
    void run(const std::string& sql);

    /// The file's bytes.
    [[nodiscard]] std::string bytes() const;

  private:
    std::int64_t text(const std::string& value);

    std::string sql_;
    std::int64_t texts_ = 0;
};

}  // namespace rankscope::test
