import { Transaction } from "bitcoinjs-lib"
import { expect, test } from "vitest"
import { doubleHash, toDisplay } from "#chains/bitcoin/proof/block-header.ts"
import { merkleRootOf, provesInclusion } from "#chains/bitcoin/proof/merkle-proof.ts"
import { mustExist } from "#lib/assert.ts"
import { headerOf, MAIN } from "../../../../chains/bitcoin/proof/main-network.ts"

const real = mustExist(MAIN.inclusions[0], "an inclusion")
const transaction = Transaction.fromHex(real.raw)
const { merkleRoot } = headerOf({ raw: real.header })

test("a branch of block 592 920 of the main network proves its transaction", () => {
  expect(provesInclusion(real.txid, transaction, real, merkleRoot)).toBe(true)
})

test("another position, txid, sibling or root proves nothing", () => {
  expect(
    provesInclusion(real.txid, transaction, { ...real, position: real.position ^ 1 }, merkleRoot),
  ).toBe(false)
  expect(provesInclusion("0".repeat(64), transaction, real, merkleRoot)).toBe(false)
  expect(
    provesInclusion(
      real.txid,
      transaction,
      { ...real, siblings: real.siblings.slice(1) },
      merkleRoot,
    ),
  ).toBe(false)
  expect(provesInclusion(real.txid, transaction, real, "0".repeat(64))).toBe(false)
})

test("a position beyond the branch is refused, although the same hashes follow", () => {
  expect(
    merkleRootOf(real.txid, { ...real, position: real.position + 2 ** real.siblings.length }),
  ).toBeNull()
})

test("a transaction of 64 bytes is refused, because its bytes could be two inner hashes of the tree", () => {
  const small = new Transaction()
  small.version = 2
  small.addInput(Buffer.alloc(32, 7), 0)
  small.addOutput(Buffer.from("6a0201ff", "hex"), 0n)
  expect(small.byteLength(false)).toBe(64)
  const root = toDisplay(doubleHash(Buffer.from(small.toHex(), "hex")))
  expect(merkleRootOf(small.getId(), { position: 0, siblings: [] })).toBe(root)
  expect(provesInclusion(small.getId(), small, { position: 0, siblings: [] }, root)).toBe(false)
})
