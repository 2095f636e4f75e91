import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { ChainId } from "#domain/asset.ts"
import type {
  EndpointReading,
  PriceReading,
  ServiceReading,
  SignerReading,
  WalletReading,
} from "#health/readings.ts"
import type { WatchAlarm } from "#health/watch-alarms.ts"
import { decodeJson } from "#lib/json.ts"
import { type Address, hostOf } from "#nodes/address.ts"
import type { Journal } from "#ports/journal.ts"

/** The last answers. The journal keeps them too, for a command without a daemon. */
export type Watched = {
  readonly atMs: number
  readonly endpoints: readonly (EndpointReading & { readonly chain: ChainId })[]
  readonly services: readonly Omit<ServiceReading, "inFlight" | "rest">[]
  readonly unpriced: readonly PriceReading[]
  /** Absent where a daemon of an earlier version stored it. */
  readonly wallets?: readonly WalletReading[]
  /** Absent while the signer process answers, and where the daemon holds the keys. */
  readonly signer?: SignerReading
}

export const WATCHED_FLAG = "health/watched"
export const WATCH_ALARMS_FLAG = "health/alarms"

/** The answers that the daemon stored last; `null` where no daemon of this version has run. */
export function readWatched(journal: Pick<Journal, "readFlag">): Watched | null {
  const text = journal.readFlag(WATCHED_FLAG)
  // CAST: `check` wrote it.
  return text === null ? null : (decodeJson(text) as Watched)
}

export function readWatchAlarms(journal: Pick<Journal, "readFlag">): readonly WatchAlarm[] {
  const text = journal.readFlag(WATCH_ALARMS_FLAG)
  // CAST: `keepAlarms` wrote it.
  return text === null ? [] : (decodeJson(text) as readonly WatchAlarm[])
}

/**
 * The endpoints of one chain for the model, with the agreement of its port where there is a report.
 */
export function nodesOf(
  chain: ChainConfig,
  { endpoints }: Pick<Watched, "endpoints">,
): {
  readonly staleMs: number | null
  readonly blockMs: number
  readonly endpoints: readonly EndpointReading[]
} {
  const { doctor } = familyOf(chain)
  const known = namesOf(doctor.endpointsOf(chain))
  const found = endpoints.filter(
    (one) => one.chain === chain.chain && known.some(({ host }) => host === one.host),
  )
  return { staleMs: doctor.staleMsOf(chain), blockMs: chain.blockTime.ms, endpoints: found }
}

/**
 * An endpoint's name is its host, without the path, because providers put keys there. A second one
 * of the same host gets a number.
 */
export function namesOf(
  addresses: readonly Address[],
): readonly { readonly address: Address; readonly host: string }[] {
  const hosts = addresses.map(hostOf)
  return addresses.map((address, index) => {
    const host = hosts[index] ?? "endpoint"
    const before = hosts.slice(0, index).filter((one) => one === host).length
    return { address, host: before === 0 ? host : `${host}#${before + 1}` }
  })
}
