import type { CoinFaces } from "#chains/family-definition.ts"

/** Words of wallets and interfaces for the coin. No token is at these addresses. */
const PLACEHOLDERS = [
  "0x0000000000000000000000000000000000000000",
  "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
]
const PLAIN: CoinFaces = { faces: PLACEHOLDERS, exists: true }

/**
 * Chains whose coin also answers as a token, with one balance behind both, and chains without a
 * coin, where `eth_getBalance` answers a made-up number (docs.arc.network, "Stablecoin-native
 * model"; docs.tempo.xyz, "EVM differences", 2026-11). The others are the coins' system contracts:
 * Celo, Polygon, zkSync Era, Metis and Mantle, Moonbeam and Moonriver; with the test networks.
 */
const FACES: ReadonlyMap<number, CoinFaces> = new Map([
  ...[5042, 5042002].map((id) => face(id, "0x3600000000000000000000000000000000000000")),
  ...[4217, 42429, 42431].map((id): [number, CoinFaces] => [id, { faces: [], exists: false }]),
  ...[42220, 11142220].map((id) => face(id, "0x471EcE3750Da237f93B8E339c536989b8978a438")),
  ...[137, 80002].map((id) => face(id, "0x0000000000000000000000000000000000001010")),
  ...[300, 324].map((id) => face(id, "0x000000000000000000000000000000000000800A")),
  ...[1088, 5000].map((id) => face(id, "0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000")),
  ...[1284, 1285, 1287].map((id) => face(id, "0x0000000000000000000000000000000000000802")),
])

export function coinFacesOf(chainId: number): CoinFaces {
  return FACES.get(chainId) ?? PLAIN
}

function face(chainId: number, token: string): [number, CoinFaces] {
  return [chainId, { faces: [token, ...PLACEHOLDERS], exists: true }]
}
