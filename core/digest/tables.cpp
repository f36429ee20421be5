// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/tables.h"

#include <array>

#include "core/digest/digest_file.h"

namespace rankscope {
namespace {

constexpr const char* kTables = R"(
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL, member TEXT NOT NULL,
  bytes INTEGER NOT NULL, modified_ns INTEGER NOT NULL, hash INTEGER NOT NULL,
  tool TEXT NOT NULL, definitions INTEGER NOT NULL);
CREATE TABLE rank (
  id INTEGER PRIMARY KEY,
  source INTEGER NOT NULL REFERENCES source (id),
  number INTEGER, world_size INTEGER, host TEXT NOT NULL,
  slices INTEGER NOT NULL, window_start_ns INTEGER NOT NULL, window_end_ns INTEGER NOT NULL,
  truncated INTEGER NOT NULL);
CREATE TABLE trace (rank INTEGER PRIMARY KEY REFERENCES rank (id), columns BLOB NOT NULL);
CREATE TABLE step (
  rank INTEGER NOT NULL REFERENCES rank (id), number INTEGER NOT NULL,
  host_start_ns INTEGER NOT NULL, host_end_ns INTEGER NOT NULL, start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL,
  complete INTEGER NOT NULL, incomplete_reason TEXT NOT NULL,
  compute_ns INTEGER, exposed_comm_ns INTEGER, exposed_copy_ns INTEGER, idle_ns INTEGER,
  comm_ns INTEGER, copy_ns INTEGER, overlap_ns INTEGER);
CREATE TABLE step_cause (
  rank INTEGER NOT NULL REFERENCES rank (id), number INTEGER NOT NULL, cause TEXT NOT NULL, idle_ns INTEGER NOT NULL);
CREATE TABLE phase (
  rank INTEGER NOT NULL REFERENCES rank (id), number INTEGER NOT NULL, phase TEXT NOT NULL,
  host_ns INTEGER NOT NULL, device_ns INTEGER NOT NULL);
CREATE TABLE collective (
  rank INTEGER NOT NULL REFERENCES rank (id), kind TEXT NOT NULL, name TEXT NOT NULL, group_name TEXT NOT NULL,
  dtype TEXT NOT NULL, elements INTEGER,
  calls INTEGER NOT NULL, total_ns INTEGER NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL);
CREATE TABLE kernel (
  rank INTEGER NOT NULL REFERENCES rank (id), name TEXT NOT NULL, class TEXT NOT NULL,
  calls INTEGER NOT NULL, total_ns INTEGER NOT NULL, busy_ns INTEGER NOT NULL,
  min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL);
CREATE TABLE operator (
  rank INTEGER NOT NULL REFERENCES rank (id), name TEXT NOT NULL,
  calls INTEGER NOT NULL, total_ns INTEGER NOT NULL, self_ns INTEGER NOT NULL,
  device_ns INTEGER NOT NULL, device_self_ns INTEGER NOT NULL);
CREATE TABLE memory (
  rank INTEGER NOT NULL REFERENCES rank (id), device INTEGER NOT NULL, capacity_bytes INTEGER NOT NULL,
  peak_allocated_bytes INTEGER NOT NULL, peak_reserved_bytes INTEGER NOT NULL, peak_at_ns INTEGER NOT NULL);
CREATE TABLE note (rank INTEGER NOT NULL REFERENCES rank (id), text TEXT NOT NULL);
)";

constexpr std::array<std::string_view, 9> kTablesOfRanks = {"step",   "trace",    "step_cause", "phase", "collective",
                                                            "kernel", "operator", "memory",     "note"};

}  // namespace

std::span<const std::string_view> tablesOfRanks() {
    return kTablesOfRanks;
}

std::string tablesOfDigest() {
    return "PRAGMA application_id = " + std::to_string(kDigestId) +
           "; PRAGMA user_version = " + std::to_string(kDigestFormat) + ";" + kTables;
}

}  // namespace rankscope
