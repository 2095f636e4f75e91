import { describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Conduct } from "../../support/fake-service.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  defaultSettings,
  ETH,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

/*
 * The redemption of a told secret needs its plan, its signature and its sending, and nothing else:
 * every other call of the two chains may fail from that moment on, and the payout is ours, also
 * when blocks ask for a higher fee.
 */

const ID = "order-1"
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }
const THIEVES: Partial<Conduct> = { redeems: false, takesBack: true, takesSource: false }
/** `bindPlan` chooses the nonce of a plan. */
const NEEDED = ["planTransaction", "nonces.bindPlan", "signTransaction", "broadcastTransaction"]
const RAISED = [...NEEDED, "planBump"]
/** Four times the configured cap of a fake chain. */
const DEAR = 800n
const HOWS = ["transient", "hold", "silent"] as const
const FAMILIES = [
  ["evm", ARB],
  ["solana", ARB],
  ["starknet", ARB],
  ["bitcoin", BTC],
] as const

type How = (typeof HOWS)[number]
type Call = (...args: readonly unknown[]) => unknown

/** The names of all calls of a port, those of its capabilities too: `feeds.fetchPrice`. */
function callsOf(port: object): readonly string[] {
  return Object.entries(port).flatMap(([name, part]: [string, unknown]) => {
    if (typeof part === "function") return [name]
    return name === "traits" || part === null || typeof part !== "object" || part instanceof Map
      ? []
      : callsOf(part).map((inner) => `${name}.${inner}`)
  })
}

/** Calls that answer at once, without a node. */
const PURE = new Set([
  "isAddress",
  "sameAddress",
  "decodeDeposit",
  "rebuildRequests",
  "revealWait",
  "capRedeemFee",
  "checkDestination",
])

/** The same part, whose calls of these names fail while `isOn` says so. */
function failing(part: object, paths: readonly string[], how: How, isOn: () => boolean): object {
  const changed = Object.entries(part).map(([name, own]: [string, unknown]) => {
    const inner = paths.filter((path) => path.startsWith(`${name}.`))
    if (inner.length > 0) {
      const below = inner.map((path) => path.slice(name.length + 1))
      return [name, failing(Object(own), below, how, isOn)]
    }
    if (!paths.includes(name)) return [name, own]
    // CAST: the names come from `callsOf`.
    const call = own as Call
    const fails = (...args: readonly unknown[]): unknown => {
      if (!isOn()) return call.apply(part, [...args])
      if (how === "silent") return new Promise(() => undefined)
      return Promise.reject(failure(how, "test.gone"))
    }
    return [name, fails]
  })
  return Object.fromEntries(changed)
}

type Scene = {
  readonly family: (typeof FAMILIES)[number][0]
  readonly to: typeof ARB | typeof BTC
  readonly how: How
  /** From the first sending on, blocks ask for so much. */
  readonly dear?: bigint
  readonly withinMs?: number
  /** Whether this call of the port fails. */
  readonly fails: (side: "source" | "destination", path: string) => boolean
}

async function redeems({
  family,
  to,
  how,
  dear,
  withinMs = 60 * MINUTE_MS,
  fails,
}: Scene): Promise<boolean> {
  const world: World = createWorld({
    confirmations: 2,
    ...(family === "bitcoin" ? {} : { arbitrum: family }),
  })
  Object.assign(world.service.conduct, THIEVES)
  // Bytes of Solana end after some sixty slots here, and each silent read costs ten seconds.
  if (family === "solana") world.service.conduct.destinationTimelock = 400n
  const ledger = to === BTC ? world.bitcoin : world.arbitrum
  const sides = new Map([
    [chainOf(ETH), "source"],
    [chainOf(to), "destination"],
  ] as const)
  let daemon: Daemon | null = null
  const isTold = (): boolean =>
    daemon?.context.journal.listSecretDecisions(ID).includes("reveal") === true
  const adaptPort = (port: ChainPort): ChainPort => {
    const side = sides.get(port.chain)
    if (side === undefined) return port
    const paths = callsOf(port).filter((path) => fails(side, path))
    // CAST: the same port, but for these calls.
    return failing(port, paths, how, isTold) as ChainPort
  }
  daemon = world.start({ settings: { ...defaultSettings(), ownSecrets }, adaptPort })
  await daemon.engine.submit({ from: ETH, to, sourceUnits: 10_000n })
  try {
    await world.run(() => {
      const isSent = ledger.heard().some(({ action }) => action.kind === "redeem")
      if (isSent && dear !== undefined) world.fees.set(chainOf(to), dear)
      return ledger.mined("redeem").some(({ ok }) => ok)
    }, withinMs)
    return true
  } catch {
    return false
  }
}

describe.each(FAMILIES)("the redemption of a told secret on %s", (family, to) => {
  const allBut =
    (needed: readonly string[]): Scene["fails"] =>
    (side, path) =>
      !PURE.has(path) && (side === "source" || !needed.includes(path))

  test.each(HOWS)("needs nothing but its own plan, signature and sending (%s)", async (how) => {
    expect(await redeems({ family, to, how, fails: allBut(NEEDED) })).toBe(true)
  })

  test.each(HOWS)("needs nothing else for a higher fee (%s)", async (how) => {
    expect(await redeems({ family, to, how, dear: DEAR, fails: allBut(RAISED) })).toBe(true)
  })
})

test.each(NEEDED)("%s is needed", async (needed) => {
  const fails: Scene["fails"] = (side, path) => side === "destination" && path === needed
  const withinMs = 5 * MINUTE_MS
  expect(await redeems({ family: "evm", to: ARB, how: "transient", withinMs, fails })).toBe(false)
})

describe("the refund of a deposit without a payout", () => {
  const sides = [
    ["evm", ETH],
    ["bitcoin", BTC],
    ["solana", ARB],
    ["starknet", ARB],
  ] as const

  test.each(sides.flatMap(([family, from]) => HOWS.map((how) => ({ family, from, how }))))(
    "needs its height, plan, signature and sending, and nothing else ($family, $how)",
    async ({ family, from, how }) => {
      const world = createWorld({
        confirmations: 2,
        ...(from === ARB ? { arbitrum: family === "solana" ? "solana" : "starknet" } : {}),
      })
      Object.assign(world.service.conduct, {
        fills: false,
        takesSource: false,
        sourceTimelock: 200n,
      })
      const ledger = from === BTC ? world.bitcoin : from === ARB ? world.arbitrum : world.evm
      let isBlind = false
      const adaptPort = (port: ChainPort): ChainPort => {
        const needed = port.chain === chainOf(from) ? [...NEEDED, "fetchHeight"] : []
        const paths = callsOf(port).filter((path) => !PURE.has(path) && !needed.includes(path))
        // CAST: the same port, but for these calls.
        return failing(port, paths, how, () => isBlind) as ChainPort
      }
      const daemon = world.start({ adaptPort })
      await daemon.engine.submit({ from, to: from === ETH ? ARB : ETH, sourceUnits: 10_000n })
      await daemon.reach("funded")
      isBlind = true
      await world.run(() => ledger.mined("refund").some(({ ok }) => ok), 60 * MINUTE_MS)
    },
  )
})
