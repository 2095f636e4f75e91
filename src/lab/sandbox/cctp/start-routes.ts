import { getAddress, toHex } from "viem"
import { systemClock } from "#lib/clock.ts"
import { callAnvil } from "../evm/call-anvil.ts"
import { createSender } from "../evm/create-sender.ts"
import { FAUCET } from "../evm/evm-chain.ts"
import { createEvmClient } from "../evm/evm-client.ts"
import type { LocalChain } from "../local-chain.ts"
import type { LocalSolanaCctp } from "./attested-chain.ts"
import { type CctpChain, deployCctp, type LocalCctp, linkCctp } from "./deploy-cctp.ts"
import { ATTESTER_ADDRESSES, type LocalAttester, startAttester } from "./start-attester.ts"

/** The local stand-ins for CCTP: contracts on each EVM chain, and one attestation service. */
export type LocalRoutes = {
  readonly attester: LocalAttester
  readonly places: readonly LocalCctp[]
  readonly solana: (LocalSolanaCctp & { readonly chain: string }) | null
}

/** Circle's numbers of the chains, as live. Solana is 5. */
const DOMAINS: Readonly<Record<string, number>> = { ethereum_sepolia: 0, base_sepolia: 6 }

/**
 * Deploys and links the contracts, which burn and mint the sandbox's own USDC. `null` with fewer
 * than two chains of CCTP.
 */
export async function startRoutes(
  chains: readonly LocalChain[],
  port: number,
): Promise<LocalRoutes | null> {
  const hosts = chains.flatMap((chain) => {
    const domain = DOMAINS[chain.name]
    return domain === undefined ? [] : [hostOf(chain, domain)]
  })
  const other = chains.find(({ openCctp }) => openCctp !== undefined)
  if (hosts.length + (other === undefined ? 0 : 1) < 2) return null
  const places = await Promise.all(
    hosts.map((host) => deployCctp({ ...host, attesters: ATTESTER_ADDRESSES })),
  )
  await linkCctp(places)
  const finality = { fast: 1, standard: 10 }
  const solana = (await other?.openCctp?.(SOLANA_DOMAIN, ATTESTER_ADDRESSES)) ?? null
  if (solana !== null) await linkSolana(solana, places)
  const attester = await startAttester({
    chains: places,
    others: solana === null ? [] : [solana.attested],
    finality,
    port,
    clock: systemClock,
  })
  const named = solana && { ...solana, chain: other?.name ?? "" }
  return { attester, places, solana: named }
}

const SOLANA_DOMAIN = 5

async function linkSolana(
  { domain, words, link }: LocalSolanaCctp,
  places: readonly LocalCctp[],
): Promise<void> {
  for (const { domain: remote, messenger, usdc, own } of places) {
    await link({ domain: remote, messenger, token: usdc })
    await own("messenger", "setRemote", [domain, words.messenger])
    await own("minter", "linkToken", [domain, words.mint, usdc])
  }
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
