// SPDX-License-Identifier: Apache-2.0
#include "store/sha1.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace culprit::store {
namespace {

constexpr size_t kBlock = 64;

struct Round {
  uint32_t mixed = 0;
  uint32_t constant = 0;
};

Round RoundOf(size_t i, uint32_t b, uint32_t c, uint32_t d) {
  if (i < 20) return {(b & c) | (~b & d), 0x5a827999};
  if (i < 40) return {b ^ c ^ d, 0x6ed9eba1};
  if (i < 60) return {(b & c) | (b & d) | (c & d), 0x8f1bbcdc};
  return {b ^ c ^ d, 0xca62c1d6};
}

using State = std::array<uint32_t, 5>;

void AddBlock(State& state, const std::byte* block) {
  std::array<uint32_t, 80> words = {};
  for (size_t i = 0; i < kBlock; ++i) words[i / 4] = words[i / 4] << 8 | std::to_integer<uint32_t>(block[i]);
  for (size_t i = 16; i < words.size(); ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (size_t i = 0; i < words.size(); ++i) {
    const Round round = RoundOf(i, b, c, d);
    const uint32_t next = std::rotl(a, 5) + round.mixed + e + round.constant + words[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const State added = {a, b, c, d, e};
  for (size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

}  // namespace

std::string Sha1(std::span<const std::byte> contents) {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const uint64_t bits = uint64_t{contents.size()} * 8;
  for (; contents.size() >= kBlock; contents = contents.subspan(kBlock)) AddBlock(state, contents.data());
  // The rest, a one bit, zeros, and the number of bits in the last eight bytes: one block or two.
  std::array<std::byte, 2 * kBlock> last = {};
  std::copy(contents.begin(), contents.end(), last.begin());
  last[contents.size()] = std::byte{0x80};
  const size_t size = contents.size() + 1 + sizeof(bits) <= kBlock ? kBlock : 2 * kBlock;
  for (size_t i = 0; i < sizeof(bits); ++i) last[size - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
  for (size_t begin = 0; begin < size; begin += kBlock) AddBlock(state, last.data() + begin);
  return fmt::format("{:08x}{:08x}{:08x}{:08x}{:08x}", state[0], state[1], state[2], state[3], state[4]);
}

}  // namespace culprit::store
