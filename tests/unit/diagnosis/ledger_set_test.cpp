// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/ledger_set.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

LedgerEntry entryOf(Cause cause, DurationNs ns) {
    LedgerEntry entry;
    entry.cause = cause;
    entry.ns = ns;
    return entry;
}

const std::vector<LedgerEntry> kLedger = {entryOf(Cause::HostSync, 10), entryOf(Cause::DataLoader, 20),
                                          entryOf(Cause::HostSync, 10)};

LedgerFilter isOf(Cause cause) {
    return [cause](const LedgerEntry& entry) { return entry.cause == cause; };
}

TEST(LedgerSets, KnowEntriesByTheirPlace) {
    const LedgerSet syncs(kLedger, isOf(Cause::HostSync));
    EXPECT_TRUE(syncs.has(0));
    EXPECT_FALSE(syncs.has(1));
    EXPECT_TRUE(syncs.has(2));
}

TEST(LedgerSets, OutliveTheLedgerTheyWereMadeOf) {
    LedgerSet loader;
    {
        const std::vector<LedgerEntry> copy = kLedger;
        loader = LedgerSet(copy, isOf(Cause::DataLoader));
    }
    EXPECT_FALSE(loader.has(0));
    EXPECT_TRUE(loader.has(1));
}

TEST(LedgerSets, HoldWhatEitherOfTwoHolds) {
    LedgerSet all;
    EXPECT_FALSE(all.has(0));
    all.unite({kLedger, isOf(Cause::DataLoader)});
    EXPECT_FALSE(all.has(0));
    all.unite({kLedger, isOf(Cause::HostSync)});
    EXPECT_TRUE(all.has(0));
    EXPECT_TRUE(all.has(1));
    EXPECT_FALSE(all.has(3)) << "there is no such entry";
}

}  // namespace
}  // namespace rankscope::test
