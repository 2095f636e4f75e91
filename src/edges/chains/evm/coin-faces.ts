import type { CoinFaces } from "#chains/family-definition.ts"

const PLAIN: CoinFaces = { faces: [], exists: true }

/**
 * Chains whose coin also answers as a token, with one balance behind both, and chains without a
 * coin, where `eth_getBalance` answers a made-up number (docs.arc.network, "Stablecoin-native
 * model"; docs.tempo.xyz, "EVM differences", 2026-11). The others are the coins' system contracts:
 * Celo, Polygon, zkSync Era.
 */
const FACES: ReadonlyMap<number, CoinFaces> = new Map([
  ...[5042, 5042002].map((id) => face(id, "0x3600000000000000000000000000000000000000")),
  ...[4217, 42429, 42431].map((id): [number, CoinFaces] => [id, { faces: [], exists: false }]),
  face(42220, "0x471EcE3750Da237f93B8E339c536989b8978a438"),
  face(137, "0x0000000000000000000000000000000000001010"),
  face(324, "0x000000000000000000000000000000000000800A"),
])

export function coinFacesOf(chainId: number): CoinFaces {
  return FACES.get(chainId) ?? PLAIN
}

function face(chainId: number, token: string): [number, CoinFaces] {
  return [chainId, { faces: [token], exists: true }]
}
