import { getAddress, toHex } from "viem"
import { systemClock } from "#lib/clock.ts"
import { callAnvil } from "../evm/call-anvil.ts"
import { createSender } from "../evm/create-sender.ts"
import { FAUCET } from "../evm/evm-chain.ts"
import { createEvmClient } from "../evm/evm-client.ts"
import type { LocalChain } from "../local-chain.ts"
import { type CctpChain, deployCctp, type LocalCctp, linkCctp } from "./deploy-cctp.ts"
import { ATTESTER_ADDRESSES, type LocalAttester, startAttester } from "./start-attester.ts"

/** The local stand-ins for CCTP: contracts on each EVM chain, and one attestation service. */
export type LocalRoutes = {
  readonly attester: LocalAttester
  readonly places: readonly LocalCctp[]
}

/** Circle's numbers of the chains, as live. */
const DOMAINS: Readonly<Record<string, number>> = { ethereum_sepolia: 0, base_sepolia: 6 }

/**
 * Deploys and links the contracts, which burn and mint the sandbox's own USDC. `null` with fewer
 * than two EVM chains.
 */
export async function startRoutes(
  chains: readonly LocalChain[],
  port: number,
): Promise<LocalRoutes | null> {
  const hosts = chains.flatMap((chain) => {
    const domain = DOMAINS[chain.name]
    return domain === undefined ? [] : [hostOf(chain, domain)]
  })
  if (hosts.length < 2) return null
  const places = await Promise.all(
    hosts.map((host) => deployCctp({ ...host, attesters: ATTESTER_ADDRESSES })),
  )
  await linkCctp(places)
  const finality = { fast: 1, standard: 10 }
  const attester = await startAttester({ chains: places, finality, port, clock: systemClock })
  return { attester, places }
}

/** The faucet deployed the sandbox's tokens, so it is their owner. */
function hostOf(local: LocalChain, domain: number) {
  const chain = toCctpChain(local)
  const token = local.assets.find(({ id }) => id === `${local.name}:usdc`)?.token ?? ""
  const owner = createSender(chain.client, FAUCET)
  return { chain, domain, issued: { usdc: getAddress(token), owner } }
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
