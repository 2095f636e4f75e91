import { z } from "zod"
import { chainOf, parseAssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import type { Address } from "#nodes/address.ts"
import { address } from "#schema/address.ts"
import { fiatOf } from "#schema/build-cost.ts"
import { assetId, choice, duration, fiatAmount, integer, list, text } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { defineRoute, type RouteConfig, type RoutePlace } from "../route-definition.ts"
import { type BurnDomain, wordOfText } from "./burn-domain.ts"
import { checkBurnConfig } from "./check-config.ts"
import { parseFeeRate } from "./fee-rate.ts"
import { type BurnSide, CCTP, type Speed } from "./quote-burns.ts"

type CctpConfig = RouteConfig & {
  readonly kind: typeof CCTP
  readonly speeds: readonly Speed[]
  /** In thousandths of a basis point. */
  readonly maxFeeRate: bigint
  /** Absent: any time. */
  readonly maxWaitMs?: number
  /** Circle's service; `null` for that of the network. */
  readonly service: Address | null
  /** By chain. Absent: none. */
  readonly lookupTables?: Readonly<Record<string, string>>
}

const MINUTE_MS = 60_000

const ADDRESS = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/
const contract = text(ADDRESS, "an address in quotes")

const schema = section({
  assets: required(
    list(assetId, "a list of at least two assets", 2),
    "USDC on each chain, with the token that Circle issues there. The addresses of Circle's " +
      "contracts are pinned in Ballast.",
  ),
  speed: withDefault(
    choice(["fast", "standard", "cheapest-in-time"]),
    "cheapest-in-time",
    "fast pays Circle for an attestation in seconds; standard waits for the finality of the " +
      "burn, and costs nothing; cheapest-in-time quotes both, and the cheaper one wins, with the " +
      "cost of the time counted by guards.capital_cost.",
  ),
  max_fee: withDefault(
    text(/^\d{1,4}(\.\d{1,3})? ?bps$/, 'a share such as "2bps" or "1.5bps"'),
    "2bps",
    "The highest share that Circle may take of a burn. The signer refuses more.",
  ),
  max_wait: orNone(
    duration(MINUTE_MS),
    "No burn is offered that usually waits longer for its attestation, such as the hours of a " +
      "standard one from Linea.",
  ),
  max_in_flight: required(
    fiatAmount,
    "The most that may be burnt and not yet minted, with the orders that are still to burn. " +
      "Nothing returns a burn: until its mint Circle owes it.",
  ),
  service: orNone(
    address,
    "Circle's attestation service. Without a value that of the network. Required with contracts.",
  ),
  contracts: withDefault(
    z.record(
      z.string(),
      section({
        domain: required(integer(0, 4_294_967_295), "The number of the chain."),
        messenger: required(contract, "The TokenMessenger."),
        transmitter: required(contract, "The MessageTransmitter."),
      }),
      { error: "expected a map of chain to contracts" },
    ),
    {},
    "Contracts of local chains, by chain, such as those of `ballast sandbox --routes all`. A " +
      "main network has its pinned ones only.",
  ),
  lookup_tables: withDefault(
    z.record(z.string(), contract, { error: "expected a map of chain to address" }),
    {},
    "By chain: a table of the addresses of Circle's programs, without which no mint on Solana " +
      "fits one transaction. Without a value the table of Circle's own client.",
  ),
  pinned: withDefault(
    z.record(
      z.string(),
      list(
        z.record(z.string(), text(/^[0-9A-Za-z+]{1,400}$/, "text in quotes"), {
          error: "expected a map of name to text",
        }),
        "a list of maps",
      ),
      { error: "expected a map of chain to contracts" },
    ),
    {},
    "The reviewed identity of each contract or program of a chain behind its `address`, as " +
      "`ballast discover` prints it. Nothing is burnt to or from a chain on which one has changed.",
  ),
})

/** USDC by burn and mint. */
export const cctpKind = defineRoute({
  kind: CCTP,
  schema,
  summary:
    "USDC by burn and mint, over Circle's CCTP, beside the swap services: each order takes " +
    "the cheaper one.",
  checkReferences: checkBurnConfig,
  build: (file, { addressOf, tokenOf }): CctpConfig => {
    const assets = file.assets.map(parseAssetId)
    const tokenOn = (chain: string): string => {
      const asset = assets.find((id) => chainOf(id) === chain)
      return mustExist(tokenOf(mustExist(asset, `an asset on ${chain}`)), "its token")
    }
    const contracts = Object.entries(file.contracts).map(([chain, { domain, ...addresses }]) => [
      chain,
      { domain: String(domain), token: tokenOn(chain), ...addresses },
    ])
    return {
      kind: CCTP,
      assets,
      speeds: file.speed === "cheapest-in-time" ? ["fast", "standard"] : [file.speed],
      maxFeeRate: parseFeeRate(file.max_fee.replace(/ ?bps$/, "")),
      ...(file.max_wait === null ? {} : { maxWaitMs: file.max_wait }),
      maxInFlightFiat: fiatOf(file.max_in_flight),
      service: file.service === null ? null : addressOf(file.service),
      contracts: Object.fromEntries(contracts),
      ...tablesIn(file.lookup_tables),
      ...pinnedIn(file.pinned),
    }
  },
  contractsOf: ({ pinnable }) => pinnable,
  rulesOf: ({ assets, maxFeeRate, contracts, pinned = {}, lookupTables = {} }, places) => ({
    assets,
    payees: new Map(places.map(({ pin, payee }) => [String(pin.domain), [payee]])),
    maxFeeRate,
    contracts: new Map(
      places.flatMap(({ chain }) => {
        const given = contracts[chain]
        return given === undefined ? [] : [[chain, given]]
      }),
    ),
    pinned: new Map(places.map(({ chain }) => [chain, pinned[chain] ?? []])),
    lookupTables: new Map(
      places.flatMap(({ chain }) => {
        const table = lookupTables[chain]
        return table === undefined ? [] : [[chain, table]]
      }),
    ),
    peers: new Map(places.map(({ pin }) => [String(pin.domain), pin.messenger])),
  }),
  open: async (
    { speeds, maxFeeRate, maxWaitMs, service },
    places,
    { timeoutMs, clock, paces, onDroppedQuote },
  ) => {
    const [{ createCctpRoute }, { createAttestationService }] = await Promise.all([
      import("./create-route.ts"),
      import("./attestation-service.ts"),
    ])
    const network = places[0]?.pin.network ?? "test"
    const attestations = createAttestationService({
      address: service ?? SERVICES[network],
      timeoutMs,
      clock,
      paces,
    })
    const sides = places.map(sideOf)
    return createCctpRoute({
      sides,
      service: attestations,
      speeds,
      maxFeeRate,
      ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
      clock,
      onDroppedQuote,
    })
  },
})

const SERVICES = {
  main: "https://iris-api.circle.com",
  test: "https://iris-api-sandbox.circle.com",
} as const

/** Without a table the configuration is that of before. */
function tablesIn(tables: Readonly<Record<string, string>>): Pick<CctpConfig, "lookupTables"> {
  return Object.keys(tables).length === 0 ? {} : { lookupTables: tables }
}

type PinFile = z.output<typeof schema>["pinned"]

/** Without a pin the configuration is that of before. */
function pinnedIn(file: PinFile): Pick<RouteConfig, "pinned"> {
  const chains = Object.entries(file).map(([chain, pins]) => [
    chain,
    pins.map(({ address: htlc = "", ...identity }) => ({ htlc, identity })),
  ])
  return chains.length === 0 ? {} : { pinned: Object.fromEntries(chains) }
}

function sideOf({ asset, family, account, payee, pin }: RoutePlace<BurnDomain>): BurnSide {
  return { asset, family, domain: pin, payee: account, mintRecipient: wordOfText(payee) }
}
