import { expect, test } from "vitest"
import type { Engine } from "#engine/engine.ts"
import { createOperations } from "./operations.ts"

type World = Parameters<typeof createOperations>

test.each([
  ["an asset that is sold", { from: "tron:usdt", to: "base:usdc" }, "Tron"],
  ["an asset that is bought", { from: "base:usdc", to: "litecoin_testnet:ltc" }, "Litecoin"],
  [
    "a payee",
    { from: "base:usdc", to: "solana:sol", destination: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe" },
    "XRPL",
  ],
])(
  "a request names the unsupported family of %s, and asks the engine nothing",
  async (_name, request, family) => {
    // CAST: a refused request uses no other part of the context and the runtime.
    const context = { journal: {} } as World[0]
    const runtime = { chains: () => new Map() } as unknown as World[2]
    // CAST: this engine must not be asked.
    const operations = createOperations(context, {} as Engine, runtime)
    const answer = await operations.submit({ amount: "1", ...request })
    expect(answer).toMatchObject({ ok: false, reasons: [{ code: "family.unsupported" }] })
    expect(JSON.stringify(answer)).toContain(family)
  },
)

test.each([
  [{ rule: "hotwallet" }, "did you mean hot-wallet?"],
  [{ chain: "base_sepola" }, "did you mean base_sepolia?"],
])("a pause of %j pauses nothing, and names the near name", async (scope, hint) => {
  const context = {
    journal: {},
    chains: new Map([["base_sepolia", {}]]),
    settings: { rules: [{ id: "hot-wallet" }] },
  }
  // CAST: a refused pause uses no other part of the context and the runtime.
  const world = context as unknown as World[0]
  const runtime = { chains: () => new Map() } as unknown as World[2]
  // CAST: this engine must not be asked.
  const answer = await createOperations(world, {} as Engine, runtime).pause(scope)
  expect(answer).toMatchObject({ ok: false, reasons: [{ code: "pause.unknown" }] })
  expect(JSON.stringify(answer)).toContain(hint)
})
