import { keccak_256 } from "@noble/hashes/sha3.js"
import { isSameAddress } from "#domain/is-same-address.ts"
import type { Path } from "#schema/problem.ts"
import { entriesAt, itemsAt, readPath, textAt } from "#schema/read-path.ts"
import type { ReferenceWorld } from "#schema/reference-world.ts"

/**
 * Slips of the hand that keep the form of a value: a digit of an address, a version that stands
 * twice, depths in the wrong order, a contract in the place of a wallet.
 */
export function checkSlips(world: ReferenceWorld): void {
  checkSums(world, world.root, [])
  checkVersions(world)
  checkDepths(world)
  checkPayees(world)
}

/** The capitals of an address of EVM are its checksum (EIP-55); one case alone has none. */
function checkSums({ report, ...world }: ReferenceWorld, value: unknown, path: Path): void {
  if (typeof value === "string" && isSlipped(value))
    report(path, "expected an address with its checksum, found a slip in it; copy it again")
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value))
    checkSums({ report, ...world }, inner, [...path, Array.isArray(value) ? Number(key) : key])
}

function isSlipped(text: string): boolean {
  const [, digits = ""] = /^0x([0-9a-fA-F]{40})$/.exec(text) ?? []
  if (!/[a-f]/.test(digits) || !/[A-F]/.test(digits)) return false
  const hash = Buffer.from(keccak_256(Buffer.from(digits.toLowerCase()))).toString("hex")
  return [...digits].some((digit, index) => {
    const isLarge = Number.parseInt(hash[index] ?? "0", 16) >= 8
    return /[a-f]/i.test(digit) && isLarge !== /[A-F]/.test(digit)
  })
}

/** `https://swap.example.com/v2` with the prefix `/v2` asks for `/v2/v2/…`. */
function checkVersions({ root, report }: ReferenceWorld): void {
  const names = entriesAt(root, ["services"]).map(([name]): Path => ["services", name])
  for (const path of [["service"], ...names]) {
    const url = textAt(root, [...path, "url"])
    const prefix = textAt(root, [...path, "path_prefix"]) ?? "/v2"
    const isTwice = url !== null && prefix !== "" && url.replace(/\/+$/, "").endsWith(prefix)
    if (isTwice)
      report(
        [...path, "url"],
        `expected a URL without ${prefix}, which path_prefix adds; remove it`,
      )
  }
}

/** A secret is told, and an order ends, no earlier than a transaction counts as seen. */
function checkDepths({ root, report }: ReferenceWorld): void {
  for (const [name] of entriesAt(root, ["chains"])) {
    const at = ["chains", name, "finality"]
    const seen = readPath(root, [...at, "seen"])
    for (const use of ["reveal", "ending"]) {
      const depth = readPath(root, [...at, use])
      if (typeof seen === "number" && typeof depth === "number" && depth < seen)
        report([...at, use], `expected at least the depth of seen (${seen}), found ${depth}`)
    }
  }
}

/** A payment to the contract of a token, or to an HTLC, is lost. */
function checkPayees({ root, report }: ReferenceWorld): void {
  const contracts = entriesAt(root, ["assets"]).flatMap(([id, asset]) => {
    const written = [textAt(asset, ["token"]), ...itemsAt(asset, ["htlc"])]
    return written.flatMap((address) => (typeof address === "string" ? [{ id, address }] : []))
  })
  const guards = ["guards", "destinations"]
  const places: readonly Path[] = [
    ...itemsAt(root, ["rules"]).map((_rule, index): Path => ["rules", index, "destination"]),
    ...itemsAt(root, guards).map((_address, index): Path => [...guards, index]),
    ...entriesAt(root, ["guards", "payees"]).map(([name]): Path => ["guards", "payees", name]),
  ]
  for (const path of places) {
    const payee = textAt(root, path)
    const found = contracts.find(({ address }) => payee !== null && isSameAddress(address, payee))
    if (found !== undefined)
      report(path, `expected the address of a wallet, found a contract of ${found.id}`)
  }
}
