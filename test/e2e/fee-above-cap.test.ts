import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, type Swap, untilReason, waitForOutcome } from "../support/e2e-orders.ts"
import { type NetworkRecorder, startNetworkRecorder } from "../support/network-recorder.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  TOKEN,
  until,
} from "../support/sandbox-process.ts"

/*
 * The nodes of a chain ask for a fee far above its cap, on real local chains: `status` names it
 * with the cap's key, the deposit waits where the chain would not take the cap, and goes on by
 * itself once the fee falls.
 */

const WEI = '"0xe8d4a51000"'
const FRI = '"0xde0b6b3a7640000"'

type Dear = Swap & {
  readonly family: string
  readonly key: string
  /** A chain that takes the cap lets the order go on. */
  readonly waits: boolean
  /** The answer of a node that asks for too much. */
  readonly adapt: (request: string, text: string) => string
}

const ROWS: readonly Dear[] = [
  {
    family: "evm",
    from: "base_sepolia:eth",
    to: "bitcoin_testnet:btc",
    amount: "0.02",
    key: "max_fee_per_gas",
    waits: true,
    adapt: (_request, text) => text.replace(/(?<="baseFeePerGas":)"0x[0-9a-f]+"/g, WEI),
  },
  {
    family: "bitcoin",
    from: "bitcoin_testnet:btc",
    to: "base_sepolia:eth",
    amount: "0.001",
    key: "max_fee_rate",
    waits: true,
    adapt: (request, text) =>
      request.startsWith("GET /fee-estimates") ? text.replace(/:\s*([\d.]+)/g, ":5000") : text,
  },
  {
    family: "solana",
    from: "solana_testnet:sol",
    to: "starknet_sepolia:strk",
    amount: "1",
    key: "max_priority_fee",
    waits: false,
    adapt: (request, text) =>
      request.includes("getRecentPrioritizationFees") ? withRecentFees(request, text) : text,
  },
  {
    family: "starknet",
    from: "starknet_sepolia:strk",
    to: "solana_testnet:sol",
    amount: "50",
    key: "max_fee",
    waits: true,
    adapt: (_request, text) =>
      text
        .replace(/(?<="(?:l1_gas|l2_gas|l1_data_gas)_price":)"0x[0-9a-f]+"/g, FRI)
        .replace(/(?<="price_in_fri":)"0x[0-9a-f]+"/g, FRI),
  },
]

let sandbox: SandboxProcess
let recorder: NetworkRecorder
let daemon: DaemonProcess
const dear = new Set<string>()
beforeAll(async () => {
  const chains = ROWS.map(({ from }) => from.split(":")[0])
  sandbox = await startSandboxProcess(["--chains", chains.join(",")])
  recorder = await startNetworkRecorder(sandbox)
  const families = new Map(sandbox.chains.map(({ url, family }) => [url, family]))
  recorder.adapt = (target, request, text) => {
    const row = ROWS.find(({ family }) => family === families.get(target) && dear.has(family))
    return row === undefined ? text : row.adapt(request, text)
  }
  const config = await writeE2eConfig(recorder.sandbox, "dear", {}, { deposit: "onchain" })
  daemon = startDaemonProcess(config, { BALLAST_OPS_TOKEN: TOKEN })
  await daemon.ready()
}, 180_000)
afterAll(() => stopAll(daemon, recorder, sandbox))

type Problem = { readonly about: string; readonly code: string; readonly sentence: string }

// No order goes to a chain that is dear in the same group: its fee would count as its cost.
describe.each([
  ["evm", "solana"],
  ["bitcoin", "starknet"],
])("at the same time, %s and %s", (...families) => {
  test.concurrent.each(ROWS.filter(({ family }) => families.includes(family)))(
    "a fee of $family above its cap is named, and the order goes on",
    {
      timeout: 180_000,
    },
    async ({ family, key, waits, adapt: _, ...swap }) => {
      dear.add(family)
      // A block with a usual fee serves for less than a second.
      await sleep(1_500)
      const id = await acceptSwap(daemon, swap)
      if (waits) {
        const { reasons } = await untilReason(daemon, id, /^fees\.above_cap$/)
        // No balance is too small for a fee that is never paid.
        expect(reasons.map(({ code }) => code)).toEqual(["fees.above_cap"])
      } else await waitForOutcome(daemon, id)
      const isNamed = async (): Promise<boolean> => {
        // CAST: the daemon's own interface.
        const { problems } = (await daemon.call("GET", "/api/v1/overview")).body as {
          problems: readonly Problem[]
        }
        return problems.some(
          ({ about, code, sentence }) =>
            about === swap.from.split(":")[0] &&
            code === "chain.fee_above_cap" &&
            sentence.includes(`, and ${key} allows `),
        )
      }
      await until("the problem names the fee and its cap", isNamed, 60_000)
      dear.delete(family)
      const { outcome, transactions } = await waitForOutcome(daemon, id, 90_000)
      expect(outcome).toBe("completed")
      expect(transactions.map(({ purpose, attempt }) => [purpose, attempt])).toEqual([
        ["deposit", 0],
      ])
    },
  )
})

type Call = { readonly id: number; readonly method?: string }

/** A fresh chain has no recent fee. */
function withRecentFees(request: string, text: string): string {
  // CAST: the daemon's own calls, and their answers.
  const [, body = ""] = /^POST \S+ (.*)$/s.exec(request) ?? []
  const asked = [JSON.parse(body)].flat() as readonly Call[]
  const { id } = mustExist(
    asked.find(({ method }) => method === "getRecentPrioritizationFees"),
    "the question",
  )
  const given = JSON.parse(text) as Call | readonly Call[]
  const result = [{ slot: 1, prioritizationFee: 900_000_000_000 }]
  const change = (one: Call): Call => (one.id === id ? { ...one, result } : one) as Call
  return JSON.stringify(Array.isArray(given) ? given.map(change) : change(given as Call))
}
