import { BlockList, isIP } from "node:net"
import { AppError } from "#lib/app-error.ts"
import { trimEndOf } from "#lib/trim-end.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** `isDirect`: whether `NO_PROXY` excepts this address by a network. `names`: its other entries. */
export type ProxyVariables = {
  readonly http: string
  readonly https: string
  readonly names: string
  readonly isDirect: (hostname: string) => boolean
}

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; the names in small letters count first. A proxy
 * without a scheme is one of HTTP. `NO_PROXY` takes names, also with a dot or `*.` before them,
 * addresses, networks (`10.0.0.0/8`) and ports. Throws `config.proxy` (fatal) for what no request
 * could follow.
 */
export function readProxyVariables(env: Environment): ProxyVariables {
  const http = readProxy(env, "http_proxy")
  const https = readProxy(env, "https_proxy")
  const [name, text] = find(env, "no_proxy")
  const entries = text.split(/[,\s]+/).filter((entry) => entry !== "")
  const networks = new BlockList()
  const names = entries.filter((entry) => !addNetwork(networks, entry, name))
  return {
    http,
    https: https === "" ? http : https,
    names: names.join(","),
    isDirect: (hostname) => {
      const address = hostname.replace(/^\[(.*)\]$/, "$1")
      const version = isIP(address)
      return version !== 0 && networks.check(address, version === 4 ? "ipv4" : "ipv6")
    },
  }
}

function find(env: Environment, small: string): readonly [name: string, value: string] {
  const large = small.toUpperCase()
  const name = env[small] === undefined ? large : small
  return [name, env[name]?.trim() ?? ""]
}

function readProxy(env: Environment, small: string): string {
  const [name, text] = find(env, small)
  if (text === "") return ""
  const url = /^[a-z][\w+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(url)) throw refuse(name, "it is not the URL of a proxy")
  const { protocol, username, password } = new URL(url)
  if (protocol !== "http:" && protocol !== "https:")
    throw refuse(name, `Ballast speaks HTTP to a proxy, not ${trimEndOf(protocol, ":")}`)
  try {
    decodeURIComponent(`${username}${password}`)
  } catch {
    throw refuse(name, "its user or password has a % that encodes nothing; write %25")
  }
  return url
}

/** Whether the entry is an address or a network, which undici compares as a name. */
function addNetwork(networks: BlockList, entry: string, name: string): boolean {
  const [first = "", length] = entry.split("/")
  const address = first.replace(/^\[(.*)\]$/, "$1")
  const version = isIP(address)
  if (length === undefined && version === 0) return false
  const family = version === 4 ? "ipv4" : "ipv6"
  if (length === undefined) {
    networks.addAddress(address, family)
    return true
  }
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  if (version === 0 || !(bits <= (version === 4 ? 32 : 128)))
    throw refuse(name, `${entry} is no network such as 10.0.0.0/8`)
  networks.addSubnet(address, bits, family)
  return true
}

/** Without the value, which may hold a password. */
function refuse(name: string, why: string): AppError {
  return new AppError({
    code: "config.proxy",
    disposition: "fatal",
    message: `The variable ${name} cannot be followed: ${why}. Write http://HOST:PORT or nothing`,
    details: { variable: name },
  })
}
