import type { Path } from "#schema/problem.ts"
import { entriesAt, isMap, itemsAt, readPath, textAt } from "#schema/read-path.ts"
import { checkAssetKnown, type ReferenceWorld, unknownName } from "#schema/reference-world.ts"
import type { Contracts } from "../route-definition.ts"
import { type BurnDomain, DECIMALS } from "./burn-domain.ts"

type PinOf = (chain: string, given?: Contracts) => BurnDomain | null | undefined

/** Every asset is the token that Circle's contracts burn on its chain, all of one network. */
export function checkBurnConfig(world: ReferenceWorld, path: Path, pinOf: PinOf): void {
  const { root, report } = world
  const used = new Map<string, BurnDomain>()
  for (const index of itemsAt(root, [...path, "assets"]).keys()) {
    const at = [...path, "assets", index]
    const id = checkAssetKnown(world, at)
    if (id === null) continue
    const chain = id.slice(0, id.indexOf(":"))
    if (used.has(chain)) report(at, `expected one asset of each chain, found two of ${chain}`)
    const pin = findPin(world, [...path, "contracts", chain], { chain, id, pinOf })
    if (typeof pin === "string") {
      report(at, pin)
      continue
    }
    checkToken(world, at, { id, pin })
    const [first] = used.values()
    if (first !== undefined && first.network !== pin.network)
      report(
        at,
        "expected chains of one network: a burn on a test network mints nothing on a main one",
      )
    used.set(chain, pin)
  }
  checkContracts(world, path, { used, pinOf })
  checkPinned(world, path, used)
}

/** Each pin is of a contract that the route uses on its chain. */
function checkPinned(
  { root, report }: ReferenceWorld,
  path: Path,
  used: ReadonlyMap<string, BurnDomain>,
): void {
  for (const [chain] of entriesAt(root, [...path, "pinned"])) {
    const at = [...path, "pinned", chain]
    const domain = used.get(chain)
    if (domain === undefined) {
      report(at, unknownName("a chain of this route's assets", chain, [...used.keys()]), "key")
      continue
    }
    for (const index of itemsAt(root, at).keys()) {
      const address = textAt(root, [...at, index, "address"]) ?? "none"
      if (domain.pinnable.some((one) => isSameAddress(one, address))) continue
      const named = domain.pinnable.join(", ")
      report([...at, index, "address"], `expected one of ${named}, found ${address}`)
    }
  }
}

/** The chain's contracts, pinned or given; else the sentence that says why there are none. */
function findPin(
  { root }: ReferenceWorld,
  path: Path,
  { chain, id, pinOf }: { readonly chain: string; readonly id: string; readonly pinOf: PinOf },
): BurnDomain | string {
  const pinned = pinOf(chain)
  if (pinned === undefined)
    return `expected an asset on an EVM chain or Solana, where Ballast burns and mints, found ${id}`
  const written = readPath(root, path)
  if (!isMap(written) || pinned?.network === "main")
    return (
      pinned ?? `expected a chain whose contracts Ballast pins, or contracts.${chain}, found ${id}`
    )
  const token = textAt(root, ["assets", id, "token"]) ?? ""
  const given = Object.entries(written).map(([name, value]) => [name, String(value)])
  return pinOf(chain, { ...Object.fromEntries(given), token }) ?? `expected contracts of ${chain}`
}

function checkToken(
  { root, report, decimals }: ReferenceWorld,
  at: Path,
  { id, pin }: { readonly id: string; readonly pin: BurnDomain },
): void {
  const digits = decimals.get(id) ?? null
  if (digits !== null && digits !== DECIMALS)
    report(at, `expected an asset of ${DECIMALS} decimals, as USDC has, found ${digits}`)
  const token = textAt(root, ["assets", id, "token"])
  const expected = pin.written.token
  if (token !== null && isSameAddress(token, expected)) return
  report(
    at,
    `expected the token that Circle's contracts burn, ${expected}, found ${token ?? "none"}`,
  )
}

/** Hexadecimal addresses differ in their checksums alone. */
function isSameAddress(a: string, b: string): boolean {
  return a === b || (a.startsWith("0x") && a.toLowerCase() === b.toLowerCase())
}

function checkContracts(
  { root, report }: ReferenceWorld,
  path: Path,
  { used, pinOf }: { readonly used: ReadonlyMap<string, BurnDomain>; readonly pinOf: PinOf },
): void {
  const given = entriesAt(root, [...path, "contracts"])
  for (const [chain] of given) {
    const at = [...path, "contracts", chain]
    if (!used.has(chain))
      report(at, unknownName("a chain of this route's assets", chain, [...used.keys()]), "key")
    if (pinOf(chain)?.network === "main")
      report(at, `expected no contracts of ${chain}: those of a main network are pinned`, "key")
  }
  for (const [chain] of entriesAt(root, [...path, "lookup_tables"])) {
    if (used.has(chain)) continue
    const at = [...path, "lookup_tables", chain]
    report(at, unknownName("a chain of this route's assets", chain, [...used.keys()]), "key")
  }
  if (given.length > 0 && (readPath(root, [...path, "service"]) ?? null) === null)
    report(path, "expected service, because contracts of local chains are given")
}
