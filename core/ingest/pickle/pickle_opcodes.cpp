// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/pickle/pickle_opcodes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope {
namespace {

using NamedCode = std::pair<std::uint8_t, std::string_view>;

constexpr std::array<NamedCode, 25> kRefused = {{
    {'c', "GLOBAL"},     {0x93, "STACK_GLOBAL"}, {'R', "REDUCE"},     {'b', "BUILD"},        {'i', "INST"},
    {'o', "OBJ"},        {0x81, "NEWOBJ"},       {0x92, "NEWOBJ_EX"}, {'P', "PERSID"},       {'Q', "BINPERSID"},
    {0x82, "EXT1"},      {0x83, "EXT2"},         {0x84, "EXT4"},      {0x97, "NEXT_BUFFER"}, {0x98, "READONLY_BUFFER"},
    {0x8f, "EMPTY_SET"}, {0x90, "ADDITEMS"},     {0x91, "FROZENSET"}, {'I', "INT"},          {'L', "LONG"},
    {'F', "FLOAT"},      {'S', "STRING"},        {'V', "UNICODE"},    {'g', "GET"},          {'p', "PUT"},
}};

}  // namespace

std::string_view refusedOpcodeName(std::uint8_t code) {
    const auto at = std::ranges::find(kRefused, code, &NamedCode::first);
    return at == kRefused.end() ? std::string_view() : at->second;
}

}  // namespace rankscope
