import { pad } from "viem"
import { expect, test } from "vitest"
import { findNonceUse } from "#chains/evm/legs/find-nonce-use.ts"
import type { EvmClient } from "#chains/evm/nodes/endpoint.ts"
import { sampleTerms, strangerAddress } from "../../../chains/evm/sample-order.ts"

const address = sampleTerms.redeemer

/**
 * A node on which our nonces 4 and 5 were used in block `usedAt`, and which has states from
 * `oldest` on.
 */
function nodeWith({ usedAt, oldest = 0n }: { usedAt: bigint; oldest?: bigint }) {
  const asked: bigint[] = []
  const client = {
    getTransactionCount: async ({ blockNumber }: { blockNumber: bigint }) => {
      asked.push(blockNumber)
      if (blockNumber < oldest) throw new Error("missing trie node")
      return blockNumber >= usedAt ? 6 : 4
    },
    getBlock: async () => ({
      transactions: [
        { from: strangerAddress, nonce: 5, hash: pad("0x1") },
        { from: address.toLowerCase(), nonce: 4, hash: pad("0x2") },
        { from: address.toLowerCase(), nonce: 5, hash: pad("0x3") },
      ],
    }),
  }
  // CAST: findNonceUse calls no other method.
  return { asked, client: client as unknown as EvmClient }
}

test.each([[1n], [2n], [700n], [999n], [1_000n]])(
  "names the transaction and its block %i",
  async (usedAt) => {
    const { client, asked } = nodeWith({ usedAt })
    expect(await findNonceUse(client, { address, nonce: 5, head: 1_000n })).toEqual({
      hash: pad("0x3"),
      height: usedAt,
    })
    expect(asked.length).toBeLessThan(25)
  },
)

test("finds a use within the states that a node keeps, up to the oldest", async () => {
  for (const usedAt of [969n, 970n, 985n, 1_000n]) {
    const { client } = nodeWith({ usedAt, oldest: 968n })
    expect(await findNonceUse(client, { address, nonce: 5, head: 1_000n })).toMatchObject({
      height: usedAt,
    })
  }
})

test("returns null if no state or transaction proves the use", async () => {
  const query = { address, nonce: 5, head: 1_000n }
  expect(await findNonceUse(nodeWith({ usedAt: 900n, oldest: 968n }).client, query)).toBeNull()
  expect(await findNonceUse(nodeWith({ usedAt: 0n }).client, query)).toBeNull()
  // An authorisation (EIP-7702) uses a nonce without a transaction.
  expect(await findNonceUse(nodeWith({ usedAt: 900n }).client, { ...query, nonce: 3 })).toBeNull()
})
