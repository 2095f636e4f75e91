import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Clocked, Configured, HasChains, Logged } from "../context.ts"
import { withinTime } from "../rules/tick/within-time.ts"
import type { Watch } from "./watch.ts"

/**
 * Compares each configured asset with its chain once: token, decimals and contracts. Until then,
 * and after a difference, new deposits of orders with this asset wait, and the daemon is not ready.
 * A reload with another chain or asset starts again.
 */
export type AssetGate = {
  /** Asks again about assets that no node has answered for. */
  readonly watch: Watch
  /** Asks about all unchecked assets, and resolves when each chain answered or its time is over. */
  readonly check: () => Promise<void>
  /** The reasons against deposits of these assets; of all configured assets without an argument. */
  readonly findReasons: (assets?: readonly AssetId[]) => readonly Reason[]
}

const RETRY_MS = 10_000
/** Longer than the usual time-out of one read. */
const WAIT_MS = 12_000

export const ASSET_MISMATCH = "asset.mismatch"

export function createAssetGate(context: HasChains & Configured & Clocked & Logged): AssetGate {
  // A reload opens a changed chain, or one with a changed asset, as a new port.
  const results = new WeakMap<ChainPort, Map<AssetId, Result>>()

  async function check(isAsked: (port: ChainPort) => boolean): Promise<void> {
    const asked = listUnchecked().filter(({ port }) => isAsked(port))
    await Promise.all(asked.map(({ port, asset }) => checkOne(port, asset)))
  }

  async function checkOne(port: ChainPort, asset: AssetId): Promise<void> {
    const result = await readAssetFaults(context, port, asset)
    resultsOf(port).set(asset, result)
    if (!result.ok)
      context.log.warn(
        { asset, reasons: result.reasons },
        "An asset cannot be compared with its chain yet",
      )
    else if (result.reasons.length > 0)
      context.log.error({ asset, reasons: result.reasons }, "An asset is not as its chain has it")
  }

  function resultsOf(port: ChainPort): Map<AssetId, Result> {
    const known = results.get(port) ?? new Map<AssetId, Result>()
    results.set(port, known)
    return known
  }

  function listUnchecked(): readonly { readonly port: ChainPort; readonly asset: AssetId }[] {
    return [...context.settings.assets.keys()].flatMap((asset) => {
      const port = context.chains.get(chainOf(asset))
      const isOpen = port?.assetChecks !== undefined && results.get(port)?.get(asset)?.ok !== true
      return port && isOpen ? [{ port, asset }] : []
    })
  }

  function reasonsOf(asset: AssetId): readonly Reason[] {
    const port = context.chains.get(chainOf(asset))
    if (port?.assetChecks === undefined) return []
    return results.get(port)?.get(asset)?.reasons ?? [unchecked(asset, "no answer yet")]
  }

  return {
    check: () => check(() => true),
    watch: {
      name: "assets",
      everyMs: RETRY_MS,
      ports: () => context.chains.values(),
      ask: (asked) => check((port) => port === asked),
    },
    findReasons: (assets = [...context.settings.assets.keys()]) =>
      [...new Set(assets)].flatMap(reasonsOf),
  }
}

/**
 * `ok`: the chain answered; `reasons` are the differences. Otherwise `reasons` says why there is no
 * answer.
 */
type Result = { readonly ok: boolean; readonly reasons: readonly Reason[] }

/**
 * Faults in the wallet's own account are no differences: the daemon or the owner mends them while
 * it runs.
 */
export async function readAssetFaults(
  { clock }: Clocked,
  port: ChainPort,
  asset: AssetId,
): Promise<Result> {
  try {
    const faults = await withinTime(
      clock,
      WAIT_MS,
      `comparing ${asset} with its chain`,
      async () => {
        return (await port.assetChecks?.checkAsset(asset)) ?? []
      },
    )
    const differences = faults.filter(({ ofWallet = false }) => !ofWallet)
    const reasons = differences.map(({ code, message, expected, found }): Reason => {
      const text = `${asset}: ${message} (configured: ${expected}; on the chain: ${found})`
      return { code: ASSET_MISMATCH, message: text, asset, cause: code, expected, found }
    })
    return { ok: true, reasons }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, reasons: [unchecked(asset, error.message)] }
  }
}

function unchecked(asset: AssetId, why: string): Reason {
  const message = `${asset} was not compared with its chain yet, so its new deposits wait: ${why}`
  return { code: "asset.unchecked", message, asset }
}
