import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { createSecretLookup } from "#config/secrets/secrets.ts"

/*
 * Each address of the configuration takes the same forms: a URL with a login or a query, a
 * reference, headers by reference. What no request could follow is refused with its place.
 */

const NODE = { family: "evm", chain_id: 8453, key: "env:K" }
type Written = string | { url: string; headers?: Record<string, string> }

/** The configuration with this address at one place. */
const PLACES: Readonly<Record<string, (address: Written) => object>> = {
  "service.url": (url) => ({ service: { url, app_id: "x" } }),
  "chains.a.rpc.0": (one) => ({ chains: { a: { ...NODE, rpc: [one] } } }),
  "chains.b.esplora.0": (one) => ({
    chains: { b: { family: "bitcoin", network: "regtest", key: "env:K", esplora: [one] } },
  }),
  "prices.sources.0.url": (url) => ({
    chains: { a: { ...NODE, rpc: ["http://n"] } },
    assets: { "a:eth": { decimals: 18 } },
    prices: { sources: [{ asset: "a:eth", url, path: "price", max_age: "1m", time_path: "t" }] },
  }),
  "alerts.receivers.desk.url": (url) => ({
    alerts: { receivers: { desk: { kind: "webhook", url } } },
  }),
  "alerts.heartbeat.url": (url) => ({ alerts: { heartbeat: { url, every: "1m" } } }),
}

const ENV = {
  K: "11".repeat(32),
  PLAIN: " \ufeffhttps://u:p%40ss@node.example/v2/key?k=1\r\n",
  STRAY: "https://u:50%@node.example/",
  TOKEN: "Bearer abc\n",
}

function problemsOf(place: string, written: Written): string {
  const folder = mkdtempSync(join(tmpdir(), "ballast-addresses-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, "url"), `${ENV.PLAIN}\n`, { mode: 0o600 })
  const file = {
    service: { url: "http://s", app_id: "x" },
    chains: {},
    assets: {},
    mode: "observe",
    ...PLACES[place]?.(written),
  }
  const secrets = createSecretLookup(ENV, folder)
  try {
    parseConfig(JSON.stringify(file), { file: "b.yaml", secrets })
    return ""
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const headers = { "x-key": "env:TOKEN" }
const GOOD: readonly Written[] = [
  "https://u:p%40ss@node.example/v2/key?k=1",
  "env:PLAIN",
  "file:url",
  { url: "env:PLAIN", headers },
  { url: "https://node.example", headers: { Authorization: "env:TOKEN" } },
]
const BAD: readonly (readonly [Written, RegExp])[] = [
  ["https://u:50%@node.example/", /each % begins two hex digits/],
  ["env:STRAY", /each % begins two hex digits/],
  [{ url: "https://x", headers: { "Content-Length": "5" } }, /writes these itself/],
  [{ url: "https://x", headers: { "transfer-encoding": "chunked" } }, /writes these itself/],
  [{ url: "https://x", headers: { "x-key": "env:MISSING" } }, /MISSING is not set/],
  ["ws://node.example", /http:\/\/ or https:\/\//],
]

test.each(Object.keys(PLACES).flatMap((place) => GOOD.map((one) => [place, one] as const)))(
  "%s takes %j",
  (place, written) => expect(problemsOf(place, written)).toBe(""),
)

test.each(Object.keys(PLACES).flatMap((place) => BAD.map((row) => [place, ...row] as const)))(
  "%s refuses %j",
  (place, written, words) => {
    const found = problemsOf(place, written)
    expect(found).toMatch(words)
    expect(found).toContain(
      place
        .replace(/\.(\d)/g, "[$1]")
        .split(".")
        .at(-1)
        ?.slice(0, 3),
    )
  },
)
