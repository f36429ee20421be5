// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(Utf8, OnlyWhatIsValidPasses) {
    const std::string replaced = "\xEF\xBF\xBD";
    EXPECT_EQ(validUtf8("a µ 漢 😀"), "a µ 漢 😀");
    EXPECT_EQ(validUtf8("a\xffz"), "a" + replaced + "z");
    EXPECT_EQ(validUtf8("\xC0\xAF"), replaced + replaced) << "overlong";
    EXPECT_EQ(validUtf8("\xED\xA0\x80"), replaced + replaced + replaced) << "a surrogate";
    EXPECT_EQ(validUtf8("\xF4\x90\x80\x80").substr(0, 3), replaced) << "beyond the last";
    EXPECT_EQ(validUtf8("\xE2\x82"), replaced + replaced) << "cut short";
}

TEST(Utf8, ASequenceHasALengthAtItsFirstByteOnly) {
    const std::string text = "aµ漢😀\xff";
    EXPECT_EQ(utf8SequenceLength(text, 0), 1U);
    EXPECT_EQ(utf8SequenceLength(text, 1), 2U);
    EXPECT_EQ(utf8SequenceLength(text, 2), 0U) << "in the middle of a character";
    EXPECT_EQ(utf8SequenceLength(text, 3), 3U);
    EXPECT_EQ(utf8SequenceLength(text, 6), 4U);
    EXPECT_EQ(utf8SequenceLength(text, 10), 0U);
    EXPECT_EQ(utf8SequenceLength(text, 11), 0U) << "the end";
    EXPECT_EQ(utf8SequenceLength(text, 99), 0U) << "past the end";
}

TEST(Printable, NothingThatATerminalObeysIsLeft) {
    EXPECT_EQ(printable("rank0\x1b[2J\n.json\x7f"), "rank0?[2J?.json?");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a?b");
    EXPECT_EQ(printable("a\xC2\x9B"
                        "2Jz"),
              "a?2Jz")
        << "CSI as one character of C1";
    EXPECT_EQ(printable("a\x9B"
                        "2Jz"),
              "a\xEF\xBF\xBD"
              "2Jz")
        << "CSI as one byte, which is no UTF-8";
    EXPECT_EQ(printable("a\xE2\x80\xAE"
                        "b\xE2\x80\xA8"
                        "c\xE2\x81\xA6"),
              "a?b?c?")
        << "direction and line";
}

TEST(Printable, WhatIsReadableStaysAsItIs) {
    EXPECT_EQ(printable("aten::add µ 漢 😀 – “x” \xC2\xA0"), "aten::add µ 漢 😀 – “x” \xC2\xA0");
    EXPECT_EQ(printable(""), "");
}

}  // namespace
}  // namespace rankscope
