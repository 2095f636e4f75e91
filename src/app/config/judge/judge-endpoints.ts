import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import { type Address, urlOf } from "#nodes/address.ts"
import type { Path } from "#schema/problem.ts"
import { readPath } from "#schema/read-path.ts"
import type { Config } from "../config.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"
import { findTrustGap } from "./trust-gap.ts"

/**
 * Endpoints that others can read or change, chains with one endpoint, deadlines, and unreviewed
 * contracts.
 */
export function judgeEndpoints({ config, written, isReal }: Judged): ConfigFinding[] {
  return [
    ...listUrls(config, written).flatMap(({ address, path }) => {
      const url = urlOf(address)
      // A process without the value of a reference does not judge it.
      if (!URL.canParse(url)) return []
      const isWritten = [path, [...path, "url"]].some((at) => readPath(written, at) === url)
      return [...judgeScheme(url, path, isReal), ...(isWritten ? judgeSecrets(url, path) : [])]
    }),
    ...config.chains.flatMap(judgeEndpointCount),
    ...(isReal ? [...findUnpinned(config), ...findBareRoutes(config)] : []),
  ]
}

type Place = { readonly address: Address; readonly path: Path }

function listUrls({ chains, services, prices }: Config, written: unknown): readonly Place[] {
  const isOne = typeof written === "object" && written !== null && "service" in written
  return [
    ...services.map(({ name, url }) => ({
      address: url,
      path: isOne ? ["service", "url"] : ["services", name, "url"],
    })),
    ...chains.flatMap((chain) => {
      const { doctor, endpointKey } = familyOf(chain)
      return doctor.endpointsOf(chain).map((address, index) => ({
        address,
        path: ["chains", chain.chain, endpointKey ?? "rpc", index],
      }))
    }),
    ...prices.sources.flatMap((source, index) => {
      const address = source.kind === "feed" ? null : source.url
      return address === null ? [] : [{ address, path: ["prices", "sources", index, "url"] }]
    }),
  ]
}

function judgeScheme(url: string, path: Path, isReal: boolean): ConfigFinding[] {
  const { protocol, hostname, host } = new URL(url)
  const severity = protocol === "https:" ? null : judgeWay(hostname, isReal)
  if (severity === null) return []
  const message = `http:// to ${host}: everyone on the way can read and change the answers`
  const todo = "write https://"
  return [findingOf("plainHttp", { severity, path, subjects: [host], message, todo })]
}

/**
 * How bad a connection to this host is that others can read and change; `null`: it stays on this
 * machine.
 */
export function judgeWay(hostname: string, isReal: boolean): "fail" | "warn" | null {
  if (isThisMachine(hostname)) return null
  return isReal && !isPrivate(hostname) ? "fail" : "warn"
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** The address ranges of local networks (RFC 1918, RFC 4193) and names that only they have. */
function isPrivate(hostname: string): boolean {
  return (
    /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[f[cd])/.test(hostname) ||
    /^[^.]+$|\.(local|internal|lan)$/.test(hostname)
  )
}

/** Providers accept a key in the path too, but there nothing tells it from a part of the path. */
function judgeSecrets(url: string, path: Path): ConfigFinding[] {
  const { username, password, host } = new URL(url)
  if (username === "" && password === "") return []
  const message = `the URL of ${host} contains a password, and each reader of the file has it`
  const todo = "write a reference to the URL: env:NAME, file:PATH or credential:NAME"
  return [findingOf("secretInUrl", { path, subjects: [host], message, todo })]
}

function judgeEndpointCount(chain: ChainConfig): ConfigFinding[] {
  const family = familyOf(chain)
  const { endpoints, agree, worst } = family.describeTrust(chain)
  const key = family.endpointKey ?? "rpc"
  const findings: ConfigFinding[] = []
  const gap = findTrustGap({ endpoints, agree })
  if (gap !== null) {
    const path = ["chains", chain.chain, endpoints === 1 ? key : "agree"]
    const why = endpoints === 1 ? "it has one endpoint" : `agree is 1, with ${endpoints} endpoints`
    const message = `${chain.chain}: ${why}, so one lying endpoint is believed (at worst: ${worst})`
    const todo =
      endpoints === 1 ? `add an endpoint of another provider to ${key}` : "write agree: 2"
    findings.push(findingOf(gap, { path, subjects: [chain.chain], message, todo }))
  }
  return [...findings, ...judgeMargin(chain), ...judgeBlockTime(chain)]
}

/** A deposit must be in a block before the order's deadline. */
function judgeMargin(chain: ChainConfig): ConfigFinding[] {
  const { chain: name, deadlineMarginMs, blockTime } = chain
  const { depositWindowMs } = familyOf(chain)
  const path = ["chains", name, "deadline_margin"]
  const todo = "write deadline_margin: 1m, on Bitcoin 20m"
  if (deadlineMarginMs >= depositWindowMs) {
    const message =
      `${name} wants ${deadlineMarginMs / 60_000} min left before the deadline, and an order ` +
      `without a deadline has ${depositWindowMs / 60_000}: no deposit is ever in time`
    return [findingOf("marginTooLong", { path, subjects: [name], message, todo })]
  }
  if (deadlineMarginMs >= blockTime.ms) return []
  const message =
    `${name} sends a deposit with less than one block left before the order's deadline, so it ` +
    "may come too late and wait for its timelock"
  return [findingOf("marginTooShort", { path, subjects: [name], message, todo })]
}

/**
 * A guessed block time is counted with a wide range, so that most orders on the chain are refused.
 */
function judgeBlockTime({ chain, blockTime }: ChainConfig): ConfigFinding[] {
  if (blockTime.from !== "guess") return []
  const fate = "most of its orders are refused (verify.timelock_margin)"
  const message = `${chain}: the block time is unknown, so ${fate}`
  const todo = "set block_time, or use a preset; `ballast doctor` measures it"
  const path = ["chains", chain]
  return [findingOf("blockTimeGuessed", { path, subjects: [chain], message, todo })]
}

/** A chain of a route without a pin, whose upgraded contract would take deposits. */
function findBareRoutes({ routes }: Config): ConfigFinding[] {
  return routes.flatMap(({ kind, assets, pinned = {} }) => {
    const bare = [...new Set(assets.map(chainOf))].filter((chain) => !pinned[chain]?.length)
    if (bare.length === 0) return []
    const message =
      `the contracts of routes.${kind} on ${bare.join(", ")} are not pinned, so a changed one ` +
      "gets deposits"
    const todo = `run \`ballast discover\`, review its findings, and copy \`routes.${kind}.pinned\``
    return [findingOf("notPinned", { path: ["routes", kind], subjects: [kind], message, todo })]
  })
}

function findUnpinned({ assets }: Config): ConfigFinding[] {
  return assets
    .filter(({ htlc, pinned = [] }) =>
      htlc.some((address) => pinned.every((pin) => pin.htlc !== address)),
    )
    .map(({ id }) =>
      findingOf("notPinned", {
        path: ["assets", id],
        subjects: [id],
        message: `the contracts of ${id} are not pinned, so a changed contract gets deposits`,
        todo: "run `ballast discover`, review its findings, and copy `pinned`",
      }),
    )
}
