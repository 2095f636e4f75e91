import { FAMILIES, findFamily, findPreset } from "#chains/families.ts"
import type { FamilyDefinition } from "#chains/family-definition.ts"
import { foreignAddress, foreignName } from "#chains/foreign-families.ts"
import { findWatched } from "#chains/watch-only.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { isSameAddress } from "#domain/is-same-address.ts"
import { findCoinFaults, isNativeAsset, type NativeCoin } from "#domain/native-coin.ts"
import { PAYOUT_SYMBOLS } from "#domain/route/affiliate-fee.ts"
import { checkTimezone } from "#schema/check-timezone.ts"
import { describeFound } from "#schema/describe-found.ts"
import { parseDuration } from "#schema/duration.ts"
import {
  fractionDigits,
  OWN_PATTERN,
  parseLimitAmount,
  unitsRoundedDown,
} from "#schema/limit-amount.ts"
import { type Path, type Report, showKey } from "#schema/problem.ts"
import { entriesAt, isMap, itemsAt, readPath, textAt } from "#schema/read-path.ts"
import {
  checkDigits,
  createReferenceWorld,
  type ReferenceWorld,
  unknownName,
} from "#schema/reference-world.ts"
import { CHAIN_NAME } from "../schema/schema-chains.ts"
import { checkAgents } from "./check-agents.ts"
import { checkAlerts } from "./check-alerts.ts"
import { checkEndpoints, type ReadValue } from "./check-endpoints.ts"
import { checkPinned } from "./check-pinned.ts"
import { checkPrices } from "./check-prices.ts"
import { checkRoutes } from "./check-routes.ts"
import { checkRules } from "./check-rules.ts"
import { checkSecrets } from "./check-secrets.ts"
import { checkSigner } from "./check-signer.ts"
import { checkSlips } from "./check-slips.ts"

/**
 * Checks the relations between values: references to configured names, decimals, sums, orders of
 * bounds, schedules.
 *
 * It reads the plain data of the file, also if the form has mistakes, so that one run reports all
 * problems. It skips values of a wrong form, because `check-form.ts` reports them.
 */
export function checkReferences(root: unknown, report: Report, readValue: ReadValue): void {
  const addressForm = (family: string | null) => findFamily(family)?.addressForm ?? null
  const world: ReferenceWorld = createReferenceWorld(root, report, {
    addressForm,
    unsupported: foreignName,
    isCoin: (id) => isCoinAt(world, id),
  })
  checkSlips(world)
  checkServices(world)
  checkSecrets(world)
  checkOps(world)
  checkChains(world, readValue)
  checkAssets(world)
  checkRoutes(world)
  checkAffiliate(world)
  checkRules(world)
  checkGuards(world)
  checkPrices(world)
  checkSigner(world)
  checkAlerts(world)
  checkForeignAddresses(world)
}

/** Judges by the text alone: `localhost`, `127.0.0.0/8` and `::1`. */
export function isLoopback(listen: string): boolean {
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]):\d+$/.test(listen)
}

/** Exactly one of `service` and `services`. */
function checkServices({ root, report }: ReferenceWorld): void {
  const one = readPath(root, ["service"]) ?? null
  const several = readPath(root, ["services"]) ?? null
  const names = entriesAt(root, ["services"]).map(([name]) => name)
  if (one === null && several === null) report(["service"], "expected a map of keys, found nothing")
  if (one !== null && several !== null) {
    report(
      ["services"],
      "expected either service or services, found both; move service into services",
      "key",
    )
  }
  if (isMap(several) && names.length === 0)
    report(["services"], "expected at least one service, found none")
  for (const name of names.filter((one) => !SERVICE_NAME.test(one))) {
    const expected = "expected a letter, then at most 31 lower case letters, digits, - and _"
    report(["services", name], `${expected}, found ${showKey(name)}`, "key")
  }
  for (const path of [["service"], ...names.map((name) => ["services", name])])
    checkPoll(root, path, report)
}

/** The order of the names counts. A name that is a number would come first in every list. */
const SERVICE_NAME = /^[a-z][a-z0-9_-]{0,31}$/

function checkPoll(root: unknown, path: Path, report: Report): void {
  const min = textAt(root, [...path, "poll", "min"]) ?? "2s"
  const max = textAt(root, [...path, "poll", "max"]) ?? "60s"
  const minMs = parseDuration(min)
  const maxMs = parseDuration(max)
  if (minMs === null || maxMs === null || minMs <= maxMs) return
  report([...path, "poll"], `expected min to be at most max, found ${min} and ${max}`)
}

function checkOps(world: ReferenceWorld): void {
  const { root, report } = world
  const listen = textAt(root, ["ops", "listen"])
  const tls = readPath(root, ["ops", "tls"]) ?? null
  if (listen !== null && !isLoopback(listen) && tls === null) {
    report(
      ["ops", "listen"],
      `expected a loopback address, because ops.tls is not set, found ${describeFound(listen)}`,
    )
  }
  checkAgents(world)
  const names = itemsAt(root, ["ops", "tokens"]).map((token) => textAt(token, ["name"]))
  for (const [index, name] of names.entries()) {
    if (name === null || names.indexOf(name) === index) continue
    report(
      ["ops", "tokens", index, "name"],
      `expected a name of its own, found ${showKey(name)} twice`,
    )
  }
}

export function checkChains(world: ReferenceWorld, readValue: ReadValue): void {
  const { root, report } = world
  for (const [name, chain] of entriesAt(root, ["chains"])) {
    const path = ["chains", name]
    if (chain === null) report(path, "expected a map of keys, found nothing")
    if (!CHAIN_NAME.test(name)) {
      report(
        path,
        `expected a chain name of lower case letters, digits, - and _, found ${showKey(name)}`,
        "key",
      )
    }
    checkEndpoints(world, path, readValue)
    checkWatched(world, path, name)
    const min = readPath(chain, ["timelock", "min"])
    const max = readPath(chain, ["timelock", "max"])
    if (typeof min === "number" && typeof max === "number" && min > max) {
      report([...path, "timelock"], `expected min to be at most max, found ${min} and ${max}`)
    }
  }
}

/** The address of a wallet that Ballast only reads. */
function checkWatched({ root, report, chains }: ReferenceWorld, path: Path, name: string): void {
  const address = findWatched({ reference: textAt(root, [...path, "key"]) ?? "" })
  if (address === null) return
  const form = findFamily(chains.get(name) ?? null)?.addressForm
  const account = textAt(root, [...path, "account"]) ?? address
  const fits = form === undefined || form.pattern.test(address)
  if (fits && isSameAddress(account, address)) return
  const expected = fits ? `the address of account (${account})` : form.expected
  report([...path, "key"], `expected ${expected} after watch:, found ${describeFound(address)}`)
}

function checkAssets(world: ReferenceWorld): void {
  for (const [id, asset] of entriesAt(world.root, ["assets"])) {
    const path = ["assets", id]
    if (!/^[a-z0-9][a-z0-9_-]*:[a-z0-9_.-]+$/.test(id)) {
      world.report(
        path,
        `expected an asset id <chain>:<asset> in lower case, found ${showKey(id)}`,
        "key",
      )
      continue
    }
    const chain = id.slice(0, id.indexOf(":"))
    const unsupported = foreignName(id)
    if (unsupported !== null) {
      world.report(path, unsupported, "key")
      continue
    }
    if (!world.chains.has(chain)) {
      world.report(
        path,
        unknownName("a chain of chains before the colon", chain, [...world.chains.keys()]),
        "key",
      )
    }
    checkCoin(world, id, asset)
    checkAddresses(world, path, asset, world.chains.get(chain) ?? null)
    checkPinned(world, path, asset, world.chains.get(chain) ?? null)
  }
}

/**
 * Another number would move every amount by powers of ten, and no chain can show the mistake: a
 * coin has no contract.
 */
function checkCoin(world: ReferenceWorld, id: string, asset: unknown): void {
  const chain = id.slice(0, id.indexOf(":"))
  const coin = coinOf(world, chain)
  const decimals = world.decimals.get(id) ?? null
  const token = readPath(asset, ["token"]) ?? null
  if (coin === null || decimals === null || (token !== null && typeof token !== "string")) return
  const written = { id: parseAssetId(id), chain: toChainId(chain), decimals, token, htlc: [] }
  if (findCoinFaults(written, coin).length === 0) return
  const because = `because ${id} is the chain's own coin, ${coin.symbol}`
  world.report(
    ["assets", id, "decimals"],
    `expected ${coin.decimals}, ${because}, found ${decimals}`,
  )
}

function isCoinAt(world: ReferenceWorld, id: string): boolean | null {
  const coin = coinOf(world, id.slice(0, Math.max(0, id.indexOf(":"))))
  const token = readPath(world.root, ["assets", id, "token"]) ?? null
  return coin === null || (token !== null && typeof token !== "string")
    ? null
    : isNativeAsset({ token }, coin)
}

/** The coin in which a configured chain takes its fees; `null` where the family is not readable. */
function coinOf({ root, chains }: ReferenceWorld, chain: string): NativeCoin | null {
  const preset = findPreset(textAt(root, ["chains", chain, "preset"]) ?? "")?.preset ?? null
  return preset?.nativeCoin ?? findFamily(chains.get(chain) ?? null)?.traits.nativeCoin ?? null
}

function checkAddresses(
  world: ReferenceWorld,
  path: readonly string[],
  asset: unknown,
  family: string | null,
): void {
  const token = textAt(asset, ["token"])
  const found = itemsAt(asset, ["htlc"]).map((value, index) => ({
    path: [...path, "htlc", index],
    value,
  }))
  if (token !== null) found.unshift({ path: [...path, "token"], value: token })
  for (const { path: at, value } of found) {
    const definition = findFamily(family)
    if (typeof value !== "string" || definition === null) continue
    const form = definition.htlcForm
    if (form?.pattern.test(value)) continue
    const expected =
      form?.expected ?? "no address here: each order on this chain has an HTLC address of its own"
    world.report(at, `expected ${expected}, found ${describeFound(value)}`)
  }
}

function checkAffiliate(world: ReferenceWorld): void {
  const { root, report } = world
  itemsAt(root, ["affiliate"]).forEach((entry, index) => {
    checkPayout(world, ["affiliate", index], textAt(entry, ["asset"]), textAt(entry, ["address"]))
  })
  const fees = itemsAt(root, ["affiliate"]).map((entry) => readPath(entry, ["fee_bps"]))
  const sum = fees.reduce<number>((total, fee) => total + (typeof fee === "number" ? fee : 0), 0)
  if (sum > 10_000)
    report(["affiliate"], `expected fees of together at most 10000 basis points, found ${sum}`)
}

/**
 * The service pays USDC or cbBTC (service interface §1), on a chain with a known address form.
 * Admission checks the address exactly.
 */
function checkPayout(
  world: ReferenceWorld,
  path: Path,
  asset: string | null,
  address: string | null,
): void {
  if (asset === null || !asset.includes(":")) return
  const unsupported = foreignName(asset)
  if (unsupported !== null) {
    world.report([...path, "asset"], unsupported)
    return
  }
  const [chain = "", symbol = ""] = asset.split(":")
  const family = familyOfChain(world, chain)
  if (!PAYOUT_SYMBOLS.includes(symbol) || family?.hasPayoutAssets === false) {
    world.report(
      [...path, "asset"],
      `expected usdc or cbbtc on a chain that has them, found ${describeFound(asset)}`,
    )
    return
  }
  if (family === null) {
    // The schema reports the unknown family of a configured chain.
    if (typeof world.chains.get(chain) === "string") return
    world.report(
      [...path, "asset"],
      unknownName("a chain of chains before the colon", chain, [...world.chains.keys()]),
    )
    return
  }
  const form = family.addressForm
  if (address === null || form.pattern.test(address)) return
  world.report([...path, "address"], `expected ${form.expected}, found ${describeFound(address)}`)
}

/**
 * Some foreign addresses also have the form of one of our families', so their own form is looked
 * for first.
 */
function checkForeignAddresses({ root, report }: ReferenceWorld): void {
  const paths: Path[] = [
    ...itemsAt(root, ["affiliate"]).map((_entry, index) => ["affiliate", index, "address"]),
    ...itemsAt(root, ["rules"]).map((_rule, index) => ["rules", index, "destination"]),
    ...itemsAt(root, ["guards", "destinations"]).map((_item, index) => [
      "guards",
      "destinations",
      index,
    ]),
  ]
  for (const path of paths) {
    const unsupported = foreignAddress(textAt(root, path) ?? "")
    if (unsupported !== null) report(path, unsupported)
  }
}

/**
 * The family of a chain: as configured, or by its name in the service interface, because a payout
 * may go to a chain without our wallet.
 */
function familyOfChain(world: ReferenceWorld, chain: string): FamilyDefinition | null {
  const configured = world.chains.get(chain)
  if (configured !== undefined && configured !== null) return findFamily(configured)
  return FAMILIES.find(({ chainName }) => chainName.test(chain)) ?? null
}

function checkGuards(world: ReferenceWorld): void {
  checkSoldLimit(world, ["guards", "max_order"])
  checkSoldLimit(world, ["guards", "max_service_secret"])
  checkApprovers(world)
  itemsAt(world.root, ["guards", "windows"]).forEach((window, index) => {
    const path = ["guards", "windows", index]
    checkSoldLimit(world, [...path, "max"])
    const limits = ["max", "max_fees", "max_count"].map((key) => readPath(window, [key]) ?? null)
    if (limits.every((limit) => limit === null)) {
      world.report(
        path,
        "expected max, max_fees or max_count, found none of them: the window limits nothing",
      )
    }
  })
  itemsAt(world.root, ["guards", "quiet_hours"]).forEach((hours, index) => {
    const path = ["guards", "quiet_hours", index]
    checkTimezone(world, path)
    const from = textAt(hours, ["from"])
    const to = textAt(hours, ["to"])
    if (from !== null && (from === to || from === "24:00")) {
      world.report(
        [...path, "from"],
        `expected another time than to, and before 24:00, found ${describeFound(from)}`,
      )
    }
  })
  for (const [chain] of entriesAt(world.root, ["guards", "min_native"])) {
    const path = ["guards", "min_native", chain]
    const family = world.chains.get(chain)
    if (family === undefined) {
      world.report(path, unknownName("a chain of chains", chain, [...world.chains.keys()]), "key")
    }
    checkDigits(world, path, nativeDecimals(family ?? null))
  }
}

/** Steps rise in amount and people, and there are enough people. */
function checkApprovers(world: ReferenceWorld): void {
  const path = ["guards", "approve_above"]
  checkSoldLimit(world, path)
  const steps = itemsAt(world.root, path)
  const named = itemsAt(world.root, ["ops", "tokens"]).filter((token) =>
    itemsAt(token, ["scopes"]).includes("approve"),
  )
  steps.forEach((step, index) => {
    checkSoldLimit(world, [...path, index, "over"])
    const [people, before] = [step, steps[index - 1]].map((one) => readPath(one, ["people"]))
    const at = [...path, index, "people"]
    if (typeof people !== "number") return
    if (typeof before === "number" && (people <= before || !isHigher(step, steps[index - 1])))
      world.report(at, "expected a higher over, and more people, than in the step before")
    if (people > 1 && people > named.length)
      world.report(
        at,
        `expected at most ${named.length}, the number of ops.tokens with the scope approve`,
      )
  })
}

function isHigher(step: unknown, before: unknown): boolean {
  const [over, less] = [step, before].map((one) => parseLimitAmount(textAt(one, ["over"]) ?? ""))
  if (over == null || less == null || over.kind !== less.kind) return false
  if (over.kind === "fiat" && less.kind === "fiat") return over.fiat > less.fiat
  if (over.kind !== "own" || less.kind !== "own") return false
  return unitsRoundedDown(over.text, 36) > unitsRoundedDown(less.text, 36)
}

/**
 * A limit in the sold asset's own unit applies to each asset: at least one asset must have enough
 * decimals for it.
 */
function checkSoldLimit(world: ReferenceWorld, path: readonly (string | number)[]): void {
  const text = textAt(world.root, path)
  if (text === null || !OWN_PATTERN.test(text)) return
  const most = Math.max(0, ...[...world.decimals.values()].map((decimals) => decimals ?? 36))
  if (world.decimals.size === 0 || fractionDigits(text) <= most) return
  world.report(
    path,
    `expected at most ${most} digits after the point, found ${describeFound(text)}`,
  )
}

/** `null` where the family is not readable; the form check reports that. */
function nativeDecimals(family: string | null): number | null {
  return findFamily(family)?.traits.nativeCoin.decimals ?? null
}
