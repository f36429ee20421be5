// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace rankscope::bench {

/// A job whose ranks stand as digests in one merged file: data x kPipeline x kTensor, a layer a stage, two
/// micro-batches a step.
struct ManyDigests {
    static constexpr int kPipeline = 4;
    static constexpr int kTensor = 4;
    /// So many replicas are simulated; what one rank does, each rank that many replicas further does again.
    static constexpr int kSimulated = 2;

    int data = 40;  ///< replicas; a multiple of kSimulated
    int steps = 100;

    [[nodiscard]] int ranks() const { return data * kPipeline * kTensor; }
};

/// Simulates the replicas that repeat in jobs of so many steps, one rank of them with a slow device, and digests them
/// as rankscope-cli does, into the file at `template_digest`. Throws std::runtime_error where that fails.
void writeSimulatedDigests(int steps, const std::filesystem::path& template_digest);

/// Writes the merged digest of a job from those: all columns of slices as they are, and numbers of ranks, hosts,
/// members of groups and the args of collectives those of the job. Throws as above; the bytes of the file.
std::uint64_t writeManyDigests(const ManyDigests& job, const std::filesystem::path& template_digest,
                               const std::filesystem::path& to);

}  // namespace rankscope::bench
