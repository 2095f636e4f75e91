import type { Address, Hex } from "viem"
import {
  type AttestationTimes,
  type BurnDomain,
  localDomain,
  readContracts,
  wordOfText,
} from "#routes/cctp/burn-domain.ts"

/** The contracts of CCTP v2 on one EVM chain. `minter` is `null` where the messenger names it. */
export type CctpContracts = {
  readonly chainId: number
  readonly network: "main" | "test"
  readonly domain: number
  readonly token: Address
  readonly messenger: Address
  readonly transmitter: Address
  readonly minter: Address | null
  readonly fastMs: AttestationTimes | null
  readonly standardMs: AttestationTimes
}

/**
 * The same addresses on every EVM chain of a network (Circle's contract addresses, and the chain
 * records of `@circle-fin/bridge-kit` 1.15.1).
 */
const SHARED = {
  main: {
    messenger: "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d",
    transmitter: "0x81D40F21F12A8F0E3252Bccb954D722d4c464B64",
    minter: "0xfd78EE919681417d192449715b2594ab58f5D002",
  },
  test: {
    messenger: "0x8FE6B999Dc680CcFDD5Bf7EB0974218be2542DAA",
    transmitter: "0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275",
    minter: null,
  },
} as const

const times = (typicalSeconds: number, lateSeconds: number): AttestationTimes => ({
  typical: typicalSeconds * 1_000,
  late: lateSeconds * 1_000,
})
/** A roll-up waits for its batch on Ethereum, and for the finality of that block. */
const ROLL_UP = times(19 * 60, 60 * 60)
const SECONDS = times(8, 10 * 60)

type Row = {
  readonly domain: number
  readonly fastMs: AttestationTimes | null
  readonly standardMs: AttestationTimes
  /** The chain id and the token of each network. */
  readonly main: readonly [number, string]
  readonly test: readonly [number, string]
}

const ROWS: readonly Row[] = [
  {
    domain: 0, // Ethereum
    fastMs: times(20, 10 * 60),
    standardMs: ROLL_UP,
    main: [1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"],
    test: [11_155_111, "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"],
  },
  {
    domain: 1, // Avalanche
    fastMs: null,
    standardMs: SECONDS,
    main: [43_114, "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"],
    test: [43_113, "0x5425890298aed601595a70AB815c96711a31Bc65"],
  },
  {
    domain: 2, // Optimism
    fastMs: SECONDS,
    standardMs: ROLL_UP,
    main: [10, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"],
    test: [11_155_420, "0x5fd84259d66Cd46123540766Be93DFE6D43130D7"],
  },
  {
    domain: 3, // Arbitrum
    fastMs: SECONDS,
    standardMs: ROLL_UP,
    main: [42_161, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"],
    test: [421_614, "0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d"],
  },
  {
    domain: 6, // Base
    fastMs: SECONDS,
    standardMs: ROLL_UP,
    main: [8_453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"],
    test: [84_532, "0x036CbD53842c5426634e7929541eC2318f3dCF7e"],
  },
  {
    domain: 7, // Polygon
    fastMs: null,
    standardMs: SECONDS,
    main: [137, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"],
    test: [80_002, "0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582"],
  },
  {
    domain: 10, // Unichain
    fastMs: SECONDS,
    standardMs: ROLL_UP,
    main: [130, "0x078D782b760474a361dDA0AF3839290b0EF57AD6"],
    test: [1_301, "0x31d0220469e10c4E71834a79b1f276d740d3768F"],
  },
  {
    domain: 11, // Linea: its standard attestation takes 6 to 32 hours
    fastMs: SECONDS,
    standardMs: times(32 * 3_600, 48 * 3_600),
    main: [59_144, "0x176211869cA2b568f2A7D4EE941E073a821EE1ff"],
    test: [59_141, "0xFEce4462D57bD51A6A552365A011b95f0E16d9B7"],
  },
  {
    domain: 13, // Sonic
    fastMs: null,
    standardMs: SECONDS,
    main: [146, "0x29219dd400f2Bf60E5a23d13Be72B486D4038894"],
    test: [14_601, "0x0BA304580ee7c9a980CF72e55f5Ed2E9fd30Bc51"],
  },
  {
    domain: 14, // World Chain
    fastMs: SECONDS,
    standardMs: ROLL_UP,
    main: [480, "0x79A02482A880bCE3F13e09Da970dC34db4CD24d1"],
    test: [4_801, "0x66145f38cBAC35Ca6F1Dfb4914dF98F1614aeA88"],
  },
  {
    domain: 19, // HyperEVM
    fastMs: null,
    standardMs: SECONDS,
    main: [999, "0xb88339CB7199b77E23DB6E890353E22632Ba630f"],
    test: [998, "0x2B3370eE501B4a559b57D449569354196457D8Ab"],
  },
]

/** Every pinned chain of both networks. */
export const cctpPresets: readonly CctpContracts[] = ROWS.flatMap(toPresets)

/** The pinned contracts of a chain, by its EIP-155 id. */
export function findCctpPreset(chainId: number): CctpContracts | null {
  return cctpPresets.find((preset) => preset.chainId === chainId) ?? null
}

/** The place of a chain in CCTP; `given`: the contracts of a local chain. */
export function findBurnDomain(
  chainId: number,
  given?: Readonly<Record<string, string>>,
): BurnDomain | null {
  if (given !== undefined) return localDomain(given)
  const preset = findCctpPreset(chainId)
  return preset === null ? null : burnDomainOf(preset)
}

/** The same chain with its addresses as words of 32 bytes. */
export function burnDomainOf(contracts: CctpContracts): BurnDomain {
  const { domain, network, token, messenger, transmitter, fastMs, standardMs } = contracts
  return {
    domain,
    network,
    token: wordOf(token),
    messenger: wordOf(messenger),
    transmitter: wordOf(transmitter),
    ...readContracts({ token, messenger, transmitter }),
    fastMs,
    standardMs,
  }
}

/** An address as a message has it. */
export function wordOf(address: Address): Hex {
  return wordOfText(address)
}

function toPresets({ domain, fastMs, standardMs, ...row }: Row): readonly CctpContracts[] {
  return (["main", "test"] as const).map((network) => {
    const [chainId, token] = row[network]
    return {
      chainId,
      network,
      domain,
      // CAST: the table has only addresses, with their checksums; a test reads each.
      token: token as Address,
      ...SHARED[network],
      fastMs,
      standardMs,
    }
  })
}
