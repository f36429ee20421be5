// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/nsight_export.h"

#include <fmt/format.h>

#include "core/digest/database.h"

namespace rankscope::test {
namespace {

std::string literal(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        out += c;
        out += c == '\'' ? "'" : "";
    }
    return out + "'";
}

constexpr const char* kTables =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,"
    " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,"
    " gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
    " correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,"
    " correlationId INTEGER, nameId INTEGER, returnValue INTEGER);"
    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER,"
    " textId INTEGER, domainId INTEGER, jsonText TEXT);"
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);"
    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);";

}  // namespace

NsightExport::NsightExport() : sql_(kTables) {}

std::int64_t NsightExport::global(std::int64_t pid, std::int64_t thread) {
    return (std::int64_t{1} << 48) | (pid << 24) | thread;
}

std::int64_t NsightExport::text(const std::string& value) {
    sql_ += fmt::format("INSERT INTO StringIds VALUES ({}, {});", ++texts_, literal(value));
    return texts_;
}

void NsightExport::kernel(std::int64_t pid, std::int64_t device, std::int64_t stream, std::int64_t start,
                          std::int64_t end, std::int64_t correlation, const std::string& name) {
    const std::int64_t id = text(name);
    sql_ += fmt::format(
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({}, {}, {}, 1, {}, {}, {}, {}, {}, 8, 1, 1, 256, 1, 1);", start,
        end, device, stream, correlation, global(pid, 0), id, id);
}

void NsightExport::copy(std::int64_t pid, std::int64_t device, std::int64_t stream, std::int64_t start,
                        std::int64_t end, std::int64_t correlation, int kind, int from, std::int64_t bytes) {
    sql_ += fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES ({}, {}, {}, {}, {}, {}, {}, {}, {}, 2);", start,
                        end, device, stream, correlation, global(pid, 0), bytes, kind, from);
}

void NsightExport::call(std::int64_t pid, std::int64_t thread, std::int64_t start, std::int64_t end,
                        std::int64_t correlation, const std::string& name) {
    const std::int64_t id = text(name);
    sql_ += fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({}, {}, {}, {}, {}, {}, 0);", start, end,
                        name.starts_with("cuda") ? 0 : 1, global(pid, thread), correlation, id);
}

void NsightExport::range(std::int64_t pid, std::int64_t thread, std::int64_t start, std::int64_t end,
                         const std::string& text, const std::string& payload) {
    sql_ += fmt::format("INSERT INTO NVTX_EVENTS VALUES ({}, {}, 59, {}, {}, NULL, 0, {});", start, end, literal(text),
                        global(pid, thread), payload.empty() ? "NULL" : literal(payload));
}

void NsightExport::run(const std::string& sql) {
    sql_ += sql;
}

std::string NsightExport::bytes() const {
    const Database database = Database::inMemory();
    database.run(sql_);
    return database.bytes();
}

}  // namespace rankscope::test
