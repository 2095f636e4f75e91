import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { ChainId } from "#domain/asset.ts"
import type { WalletReading } from "#health/readings.ts"
import type { Clock } from "#lib/clock.ts"
import type { AskHttp } from "#nodes/ask-node.ts"

/** The accounts change rarely, and plans of nodes count requests. */
const EVERY_MS = 5 * 60_000

/** What the nodes show of the wallets' own accounts that an operator must know. */
type WalletWatch = {
  readonly check: (
    chains: readonly ChainConfig[],
    askOf: (chain: ChainConfig) => AskHttp,
  ) => Promise<readonly WalletReading[]>
}

type Track = { readonly askedMs: number; readonly reading: WalletReading | null }

/** `accountOf`: `null` while the chain is not open. */
export function createWalletWatch(
  clock: Pick<Clock, "now">,
  accountOf: (chain: ChainId) => string | null,
): WalletWatch {
  const tracks = new Map<ChainId, Track>()

  async function checkOne(chain: ChainConfig, ask: AskHttp): Promise<WalletReading | null> {
    const known = tracks.get(chain.chain)
    const account = accountOf(chain.chain)
    const nowMs = clock.now()
    const isNew = known !== undefined && Math.abs(nowMs - known.askedMs) < EVERY_MS
    if (isNew || account === null) return known?.reading ?? null
    const found = await findFault(chain, account, ask)
    const last = known?.reading ?? null
    const reading = found === undefined ? last : readingOf(chain.chain, found, last, nowMs)
    tracks.set(chain.chain, { askedMs: nowMs, reading })
    return reading
  }

  return {
    check: async (chains, askOf) => {
      const found = await Promise.all(chains.map((chain) => checkOne(chain, askOf(chain))))
      return found.filter((one) => one !== null)
    },
  }
}

type Fault = { readonly code: string; readonly found: string }

/** `undefined`: no endpoint answers. Each endpoint may show it: one that lies only warns. */
async function findFault(
  chain: ChainConfig,
  account: string,
  ask: AskHttp,
): Promise<Fault | null | undefined> {
  const { findWalletFault, endpointsOf } = familyOf(chain).doctor
  if (findWalletFault === undefined) return null
  const asked = endpointsOf(chain).map((at) => findWalletFault(account, at, ask))
  const answers = (await Promise.allSettled(asked)).filter((one) => one.status === "fulfilled")
  if (answers.length === 0) return undefined
  const faults = answers.flatMap(({ value }) => value ?? [])
  return (
    faults.flatMap(({ code, found }) => (code === undefined ? [] : [{ code, found }]))[0] ?? null
  )
}

function readingOf(
  chain: ChainId,
  fault: Fault | null,
  last: WalletReading | null,
  nowMs: number,
): WalletReading | null {
  return fault === null ? null : { chain, ...fault, sinceMs: last?.sinceMs ?? nowMs }
}
