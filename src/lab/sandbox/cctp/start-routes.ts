import { getAddress, toHex } from "viem"
import { systemClock } from "#lib/clock.ts"
import { callAnvil } from "../evm/call-anvil.ts"
import { createEvmClient } from "../evm/evm-client.ts"
import type { LocalChain } from "../local-chain.ts"
import { SANDBOX_WALLETS } from "../sandbox-wallets.ts"
import { type CctpChain, deployCctp, type LocalCctp, linkCctp } from "./deploy-cctp.ts"
import { ATTESTER_ADDRESSES, type LocalAttester, startAttester } from "./start-attester.ts"

/** The local stand-ins for CCTP: contracts on each EVM chain, and one attestation service. */
export type LocalRoutes = {
  readonly attester: LocalAttester
  readonly places: readonly LocalCctp[]
}

/** Circle's numbers of the chains, as live. */
const DOMAINS: Readonly<Record<string, number>> = { ethereum_sepolia: 0, base_sepolia: 6 }

const FUNDED_UNITS = 100_000_000_000n

/**
 * Deploys and links the contracts, and gives the sandbox's EVM wallet 100 000 of the USDC that they
 * burn on each chain. `null` with fewer than two EVM chains.
 */
export async function startRoutes(
  chains: readonly LocalChain[],
  port: number,
): Promise<LocalRoutes | null> {
  const hosts = chains.flatMap((chain) => {
    const domain = DOMAINS[chain.name]
    return domain === undefined ? [] : [{ chain: toCctpChain(chain), domain }]
  })
  if (hosts.length < 2) return null
  const places = await Promise.all(
    hosts.map((host) => deployCctp({ ...host, attesters: ATTESTER_ADDRESSES })),
  )
  await linkCctp(places)
  for (const place of places) await place.own("usdc", "mint", [SANDBOX_WALLETS.evm, FUNDED_UNITS])
  const finality = { fast: 1, standard: 10 }
  const attester = await startAttester({ chains: places, finality, port, clock: systemClock })
  return { attester, places }
}

function toCctpChain({ name, url, chainId, advance }: LocalChain): CctpChain {
  const client = createEvmClient({ name, chainId: Number(chainId), url })
  return {
    name,
    client,
    advance,
    setBalance: async (address, units) => {
      await callAnvil(client, "anvil_setBalance", [getAddress(address), toHex(units)])
    },
  }
}
