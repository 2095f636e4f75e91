import { findFamily } from "#chains/families.ts"
import type { Path } from "#schema/problem.ts"
import { itemsAt, readPath, textAt } from "#schema/read-path.ts"
import type { ReferenceWorld } from "#schema/reference-world.ts"

/**
 * Checks that the endpoints of one chain can agree with each other. Two URLs of one host are one
 * provider, which would agree with itself, so each host counts once. The messages name hosts only,
 * because a path may hold an access key.
 */
export function checkEndpoints(
  { root, report }: ReferenceWorld,
  path: Path,
  readValue: ReadValue,
): void {
  const chain = readPath(root, path)
  const key = findFamily(textAt(chain, ["family"]))?.endpointKey ?? null
  if (key === null) return
  const hosts = itemsAt(chain, [key]).map((item) => hostOf(item, readValue))
  hosts.forEach((host, index) => {
    if (host === null || hosts.indexOf(host) === index) return
    const expected =
      "expected endpoints of different hosts, because one host would agree with itself"
    report([...path, key, index], `${expected}, found ${host} again`)
  })
  const agree = readPath(chain, ["agree"])
  const count = new Set(hosts).size
  if (typeof agree !== "number" || count === 0 || agree <= count) return
  report(
    [...path, "agree"],
    `expected at most ${count}, the number of this chain's endpoints, found ${agree}`,
  )
}

/** The value of a reference to a secret; another text is its own. */
export type ReadValue = (text: string) => string

/**
 * `null` for a text that is no URL; the form check reports it. A reference whose value is not known
 * is a host of its own.
 */
function hostOf(item: unknown, readValue: ReadValue): string | null {
  const written = typeof item === "string" ? item : textAt(item, ["url"])
  const url = written === null ? null : readValue(written) || written
  if (url === null || !URL.canParse(url)) return null
  const { hostname, port, protocol } = new URL(url)
  if (!/^https?:$/.test(protocol)) return url
  const usualPort = protocol === "https:" ? "443" : "80"
  return `${hostname.replace(/\.$/, "")}:${port === "" ? usualPort : port}`
}
