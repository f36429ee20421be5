// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/ingest/nccl_log/nccl_log.h"
#include "core/network/network.h"
#include "tests/support/memory_stream.h"

namespace rankscope::test {

/// The lines of a job's ranks, as NCCL writes them. Rank r is process 100 + r.
class LogText {
  public:
    /// This many ranks, this many of them a host: host0, host1...
    explicit LogText(int ranks, int per_host = 8) : ranks_(ranks), per_host_(per_host) {}

    /// A line of a rank.
    LogText& line(int rank, std::string_view text, std::string_view level = "INFO") {
        text_ += fmt::format("host{}:{}:{} [{}] NCCL {} {}\n", rank / per_host_, 100 + rank, 100 + rank,
                             rank % per_host_, level, text);
        return *this;
    }
    /// The same line of all ranks.
    LogText& all(std::string_view text) {
        for (int rank = 0; rank < ranks_; ++rank) {
            line(rank, text);
        }
        return *this;
    }
    /// Any text.
    LogText& raw(std::string_view text) {
        text_ += text;
        return *this;
    }
    /// The start of the communicator of all ranks, with a ring in their order.
    LogText& start(std::string_view id = "0xaa", int channels = 8, std::string_view pointer = "0x10") {
        for (int rank = 0; rank < ranks_; ++rank) {
            const std::string comm =
                fmt::format("ncclCommInitRank comm {} rank {} nranks {} cudaDev {} nvmlDev {} busId {}000 commId {}",
                            pointer, rank, ranks_, rank % per_host_, rank % per_host_, rank % per_host_ + 1, id);
            line(rank, comm + " - Init START");
            line(rank, fmt::format("comm {} rank {} nRanks {} nNodes {} localRanks {} localRank {} MNNVL 0", pointer,
                                   rank, ranks_, (ranks_ + per_host_ - 1) / per_host_, per_host_, rank % per_host_));
            for (int channel = 0; rank == 0 && channel < channels; ++channel) {
                std::string ring;
                for (int at = 0; at < ranks_; ++at) {
                    ring += fmt::format(" {}", at);
                }
                line(rank, fmt::format("Channel {:02}/{:02} :{}", channel, channels, ring));
            }
            line(rank, fmt::format("{0} coll channels, {0} collnet channels, 0 nvls channels, {0} p2p channels, 2 p2p "
                                   "channels per peer",
                                   channels));
            line(rank, comm + " - Init COMPLETE");
        }
        return *this;
    }
    /// Channel 0 from a rank to the next one, as its sender writes it.
    LogText& edge(int rank, std::string_view path, std::string_view end = "") {
        const int next = (rank + 1) % ranks_;
        return line(end == " [receive]" ? next : rank,
                    fmt::format("Channel 00/0 : {}[{}] -> {}[{}]{} via {}", rank, rank % per_host_, next,
                                next % per_host_, end, path));
    }
    /// A collective of a rank.
    LogText& call(int rank, std::string_view kind, int count, int type = 7, std::string_view pointer = "0x10",
                  std::string_view op_count = "0") {
        return line(rank,
                    fmt::format("{}: opCount {} sendbuff 0x1 recvbuff 0x2 count {} datatype {} op 0 root 0 comm {} "
                                "[nranks={}] stream 0x3",
                                kind, op_count, count, type, pointer, ranks_));
    }

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] NcclLogs logs() const {
        MemoryStream stream(text_);
        return readNcclLog(stream, "job.log");
    }

  private:
    int ranks_;
    int per_host_;
    std::string text_;
};

}  // namespace rankscope::test
