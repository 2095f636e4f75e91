import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"

/**
 * `root` is this machine's own namespace; it runs the chains, the service and the test. The others
 * have a namespace each.
 */
export const HOSTS = ["a", "b", "primary", "standby"] as const
export type HostName = (typeof HOSTS)[number]
export type Place = HostName | "root"

export type Network = {
  readonly addressOf: (place: Place) => string
  /** A command line that runs another one on a host. */
  readonly on: (host: HostName, command: readonly string[]) => readonly [string, ...string[]]
  /** Drops every packet between the two, in both directions and in silence. */
  readonly cut: (one: Place, other: Place) => void
  readonly heal: () => void
  readonly close: () => void
}

/**
 * Whether this process can make network namespaces. `.ci/run` sets `BALLAST_NEEDS_NAMESPACES`: then
 * a missing program is an error.
 */
export function canMakeNamespaces(): boolean {
  const isRoot = process.getuid?.() === 0
  const tools = ["/usr/sbin/ip", "/usr/sbin/nft"].every((file) => existsSync(file))
  if (isRoot && tools) return true
  if (process.env["BALLAST_NEEDS_NAMESPACES"] === "1")
    throw new Error("install Debian's packages iproute2 and nftables")
  process.stderr.write(
    "\nSKIPPED: the cluster in network namespaces; it needs root and Debian's packages " +
      "iproute2 and nftables\n\n",
  )
  return false
}

/**
 * Joins a namespace for each host by a bridge. All names and addresses carry the number of this
 * process.
 */
export function openNetwork(): Network {
  const tag = (process.pid % 46_656).toString(36)
  const bridge = `bl${tag}`
  const net = `10.77.${process.pid % 250}`
  const spaceOf = (host: HostName): string => `ballast-${tag}-${host}`
  const addressOf = (place: Place): string =>
    `${net}.${place === "root" ? 254 : HOSTS.indexOf(place) + 1}`
  const ip = (...args: string[]): string =>
    execFileSync("ip", args, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" })
  const nft = (host: HostName, rule: string): void => {
    execFileSync("ip", ["netns", "exec", spaceOf(host), "nft", ...rule.split(" ")], {
      stdio: ["ignore", "ignore", "pipe"],
    })
  }
  const close = (): void => {
    for (const host of HOSTS) ignoreMissing(() => ip("netns", "del", spaceOf(host)))
    ignoreMissing(() => ip("link", "del", bridge))
  }

  try {
    ip("link", "add", bridge, "type", "bridge")
    ip("addr", "add", `${addressOf("root")}/24`, "dev", bridge)
    ip("link", "set", bridge, "up")
    for (const host of HOSTS) {
      const cable = `v${tag}${host.slice(0, 1)}`
      ip("netns", "add", spaceOf(host))
      ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", spaceOf(host))
      ip("link", "set", cable, "master", bridge, "up")
      ip("-n", spaceOf(host), "addr", "add", `${addressOf(host)}/24`, "dev", "eth0")
      for (const device of ["eth0", "lo"]) ip("-n", spaceOf(host), "link", "set", device, "up")
      nft(host, "add table inet cuts")
      nft(host, "add chain inet cuts arriving { type filter hook input priority 0 ; }")
      nft(host, "add chain inet cuts leaving { type filter hook output priority 0 ; }")
    }
  } catch (error) {
    close()
    throw error
  }

  return {
    addressOf,
    on: (host, command) => ["ip", "netns", "exec", spaceOf(host), ...command],
    cut: (one, other) => {
      for (const [here, there] of [
        [one, other],
        [other, one],
      ] as const) {
        if (here === "root") continue
        nft(here, `add rule inet cuts arriving ip saddr ${addressOf(there)} drop`)
        nft(here, `add rule inet cuts leaving ip daddr ${addressOf(there)} drop`)
      }
    },
    heal: () => {
      for (const host of HOSTS)
        for (const chain of ["arriving", "leaving"]) nft(host, `flush chain inet cuts ${chain}`)
    },
    close,
  }
}

function ignoreMissing(remove: () => void): void {
  try {
    remove()
  } catch {
    // It was never made, or is gone with its namespace.
  }
}
