import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import { findWatched } from "#chains/watch-only.ts"
import type { Asset, ChainId } from "#domain/asset.ts"
import { isSameAddress } from "#domain/is-same-address.ts"
import { isNativeAsset } from "#domain/native-coin.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"
import { isKnownMainNetwork } from "./is-main-network.ts"

/**
 * One token, coin or wallet under two names. Its balance would count twice, and the planner would
 * sell half of it to reach shares that it has already.
 */
export function judgeTwins({ config: { assets, chains } }: Judged): ConfigFinding[] {
  return [
    ...chains.flatMap((chain, index) => findSameWallet(chain, chains.slice(0, index))),
    ...chains.flatMap((chain) => judgeAssets(chain, assets)),
  ]
}

/**
 * One wallet under two names, by its address: one of them watches it, or their keys were unknown to
 * `judgeTwins`. `accounts` has the address of each chain's wallet.
 */
export function judgeAccounts(
  chains: readonly ChainConfig[],
  accounts: ReadonlyMap<ChainId, string>,
): ConfigFinding[] {
  return [...findPublic(chains, accounts), ...findSharedAccounts(chains, accounts)]
}

/** The first accounts of the mnemonic of Anvil and Hardhat, whose keys every reader has. */
const PUBLIC_ACCOUNTS = [
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
]

function findPublic(
  chains: readonly ChainConfig[],
  accounts: ReadonlyMap<ChainId, string>,
): ConfigFinding[] {
  const open = chains.filter(({ chain }) =>
    PUBLIC_ACCOUNTS.some((known) => isSameAddress(known, accounts.get(chain) ?? "")),
  )
  return open.filter(isKnownMainNetwork).map(({ chain }) => {
    const message = `the key of ${chain} is published for tests: everyone can take its money`
    const path = ["chains", chain, "key"]
    const todo = "make another key with `ballast wallet new`, and move the funds there"
    const found = { severity: "refuse", path, subjects: [chain], message, todo } as const
    return findingOf("publicKey", found)
  })
}

function findSharedAccounts(
  chains: readonly ChainConfig[],
  accounts: ReadonlyMap<ChainId, string>,
): ConfigFinding[] {
  return chains.flatMap((chain, index) => {
    const twin = chains.slice(0, index).find((other) => isSameAccount(chain, other, accounts))
    if (twin === undefined) return []
    const named = findWatched(chain.key) === null && findWatched(twin.key) !== null ? twin : chain
    const subjects = [chain.chain, twin.chain]
    const message = `${subjects.join(" and ")} are one wallet, so each balance counts twice`
    const path = ["chains", named.chain, "key"]
    const todo = "watch another address, or keep one of the two names"
    return [findingOf("sameAccount", { severity: "refuse", path, subjects, message, todo })]
  })
}

function isSameAccount(
  one: ChainConfig,
  other: ChainConfig,
  accounts: ReadonlyMap<ChainId, string>,
): boolean {
  const account = accounts.get(one.chain)
  const known = accounts.get(other.chain)
  if (account === undefined || known === undefined || !isSameAddress(account, known)) return false
  return isSameChain(one, other, WALLET_PARTS) && !isSameWallet(one, other)
}

/** The parts of a chain's identity that name its wallet. */
const WALLET_PARTS = ["address", "account"]

function findSameWallet(
  chain: ChainConfig,
  before: readonly ChainConfig[],
): readonly ConfigFinding[] {
  const twin = before.find((other) => isSameWallet(chain, other))?.chain
  if (twin === undefined) return []
  const names = `${chain.chain} and ${twin}`
  const message = `${names} are one chain with one key, so each balance counts twice`
  const todo = "keep one of the two names, with the endpoints of both"
  const path = ["chains", chain.chain]
  const subjects = [chain.chain, twin]
  return [findingOf("sameWallet", { severity: "refuse", path, subjects, message, todo })]
}

function isSameWallet(one: ChainConfig, other: ChainConfig): boolean {
  return hasSameKey(one, other) && isSameChain(one, other, [])
}

/** `parts` of the identity do not count. */
function isSameChain(one: ChainConfig, other: ChainConfig, parts: readonly string[]): boolean {
  const family = familyOf(one)
  if (family !== familyOf(other)) return false
  const identity = family.identityOf(one)
  const wanted = family.identityOf(other)
  const names = Object.keys(identity).filter((name) => !parts.includes(name))
  if (names.some((name) => identity[name] !== wanted[name])) return false
  // A chain without a known genesis is only known by its node.
  const isKnown = identity["preset"] !== "none"
  const urls = family.doctor.endpointsOf(other)
  return isKnown || family.doctor.endpointsOf(one).some((url) => urls.includes(url))
}

function hasSameKey({ key }: ChainConfig, other: ChainConfig): boolean {
  return key.reference === other.key.reference || (key.isKnown() && key.isSame(other.key))
}

function judgeAssets(chain: ChainConfig, assets: readonly Asset[]): readonly ConfigFinding[] {
  const own = assets.filter((asset) => asset.chain === chain.chain)
  const { faces, exists } = familyOf(chain).coinFacesOf?.(chain) ?? { faces: [], exists: true }
  const isCoin = (asset: Asset): boolean =>
    isNativeAsset(asset, chain.nativeCoin) || faces.some((token) => isToken(asset, token))
  return own.flatMap((asset, index) => {
    const path = ["assets", asset.id]
    if (asset.token === null && !exists) {
      const message = `${chain.chain} has no coin of its own: its nodes report a made-up balance`
      const todo = "remove the asset, or name its token"
      const found = { severity: "refuse", path, subjects: [asset.id], message, todo } as const
      return [findingOf("noCoin", found)]
    }
    const twin = own.slice(0, index).find((other) => {
      if (isCoin(asset) && isCoin(other)) return true
      return asset.token !== null && isToken(other, asset.token)
    })
    if (twin === undefined) return []
    const thing = isCoin(asset) ? "coin" : "token"
    const message = `${asset.id} and ${twin.id} are one ${thing}, so its balance counts twice`
    const subjects = [asset.id, twin.id]
    const todo = "keep one of the two"
    return [findingOf("sameAsset", { severity: "refuse", path, subjects, message, todo })]
  })
}

function isToken(asset: Asset, token: string): boolean {
  return asset.token !== null && isSameAddress(asset.token, token)
}
