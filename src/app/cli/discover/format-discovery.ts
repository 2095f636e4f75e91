import { familyNamed } from "#chains/families.ts"
import type { DiscoveredAsset, DiscoveredChain } from "./inspect-chain.ts"

/**
 * The part of a configuration for a person to review: chains that it lacks, and the assets with
 * contracts that passed. YAML.
 */
export function formatFragment(chains: readonly DiscoveredChain[]): string {
  const usable = chains.filter(({ supported }) => supported)
  const added = usable.filter(({ configured, assets }) => !configured && assets.some(isUsable))
  const assets = usable.flatMap((chain) => chain.assets.filter(isUsable).map(formatAsset))
  return [
    ...(added.length === 0 ? [] : ["chains:", ...added.map(formatChain)]),
    ...(assets.length === 0 ? [] : ["assets:", ...assets]),
  ].join("\n")
}

/**
 * Compared with the chain and without a finding that forbids its use; or nothing to compare,
 * because each order has its own address.
 */
export function isUsable({ ownAddresses, identity, findings }: DiscoveredAsset): boolean {
  return (
    (identity !== null || ownAddresses) && findings.every(({ severity }) => severity !== "unusable")
  )
}

/**
 * Lines of YAML comments. Services, contracts and nodes chose parts of the texts, and people paste
 * the output: no text may end its comment or change a terminal.
 */
export function formatComments(lines: readonly string[]): string[] {
  return lines.map((line) => `# ${line.replace(/[^\x20-\x7e→]/g, "?").slice(0, MAX_LINE)}`)
}

const MAX_LINE = 1_000

function formatChain({ name, family: familyName, preset, id }: DiscoveredChain): string {
  const { keys } = familyNamed(familyName ?? "")
  const number = /^[^:]*:(\d{1,15})$/.exec(id ?? "")?.[1]
  const identity =
    preset === null
      ? [
          `family: ${familyName}`,
          ...(Object.hasOwn(keys, "chain_id") && number ? [`chain_id: ${number}`] : []),
        ]
      : [`preset: ${preset}`]
  const endpoints = Object.hasOwn(keys, "rpc") ? "rpc" : "esplora"
  const account = Object.hasOwn(keys, "account") ? ['account: "0x…"'] : []
  const key = `key: env:${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_KEY`
  return (
    `  ${name}: { ${[...identity, `${endpoints}: ["https://…"]`, ...account, key].join(", ")} ` +
    "}"
  )
}

/** Two lines at most: the listing, and the pin. */
function formatAsset({ id, decimals, token, htlc, identity }: DiscoveredAsset): string {
  const listing = [
    `decimals: ${decimals}`,
    ...(token === null ? [] : [`token: ${quote(token)}`]),
    ...(htlc === null ? [] : [`htlc: [${quote(htlc)}]`]),
  ]
  if (identity === null) return `  ${id}: { ${listing.join(", ")} }`
  const pins = Object.entries(identity).map(([name, value]) => `${name}: ${quote(value)}`)
  return `  ${id}: { ${listing.join(", ")},\n    pinned: [{ ${pins.join(", ")} }] }`
}

/** A JSON string is also a YAML string, with all its special characters escaped. */
function quote(text: string): string {
  return JSON.stringify(text)
}

/**
 * Comments for a person: details of each contract, the findings, and the assets that were left out.
 */
export function formatFindings(chains: readonly DiscoveredChain[]): string[] {
  return chains.flatMap(({ name, family, supported, assets, findings }) => {
    const read = assets.filter(({ identity }) => identity !== null).length
    const ownAddresses = supported && familyNamed(family ?? "").pinKeys === undefined
    const summary = ownAddresses
      ? "nothing to pin: each order has an HTLC address of its own"
      : `${count(read, "contract")} compared with the chain`
    return [
      `${name} (${family ?? "unsupported"}): ${count(assets.length, "asset")}, ${summary}`,
      ...findings.map(({ severity, code, message }) => `  ${severity}: ${message} [${code}]`),
      ...assets.flatMap((asset) => [
        ...formatDetails(asset),
        ...asset.findings.map(
          ({ severity, code, message }) => `    ${severity}: ${message} [${code}]`,
        ),
        ...(isUsable(asset) || asset.identity === null
          ? []
          : ["    left out of the configuration below"]),
      ]),
    ]
  })
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

function formatDetails({ id, details }: DiscoveredAsset): string[] {
  const texts = Object.entries(details).map(([name, value]) => `${name} ${value}`)
  return texts.length === 0 ? [`  ${id}`] : [`  ${id}: ${texts.join(", ")}`]
}
