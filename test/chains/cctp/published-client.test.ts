import { createPublicClient, createWalletClient, type Hex, http, type Log } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { cctpPresets, wordOf } from "#chains/evm/cctp/presets.ts"
import { readBurns, readMints } from "#chains/evm/cctp/read-logs.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { mustExist } from "#lib/assert.ts"
import { loadPublishedCctp, type PublishedChain } from "../../support/published-cctp.ts"
import { AMOUNT, attester, balanceOf, destination, source, useTwoChains } from "./use-two-chains.ts"

useTwoChains()

let published: Awaited<ReturnType<typeof loadPublishedCctp>>

beforeAll(async () => {
  published = await loadPublishedCctp()
}, 400_000)

afterEach(() => vi.unstubAllGlobals())

/** The client has Circle's host as a constant. Every other host is refused. */
function redirectService(): void {
  const real = globalThis.fetch
  vi.stubGlobal("fetch", (asked: string | URL | Request, options?: RequestInit) => {
    const url = new URL(asked instanceof Request ? asked.url : asked)
    if (url.hostname === "127.0.0.1") return real(asked, options)
    if (url.hostname !== "iris-api-sandbox.circle.com")
      throw new Error(`another host than ours: ${url.hostname}`)
    return real(`${attester.url}${url.pathname}${url.search}`, options)
  })
}

type Place = typeof source

/** The published record of a chain with our own contracts. */
function recordOf(name: string, { cctp: { usdc, messenger, transmitter } }: Place): PublishedChain {
  const { kitContracts: _wrapper, ...known } = mustExist(published.chains[name], name)
  const cctp = mustExist(known.cctp, "the part of CCTP")
  const v2 = mustExist(cctp.contracts.v2, "version 2")
  return {
    ...known,
    usdcAddress: usdc,
    cctp: {
      ...cctp,
      contracts: { v2: { ...v2, tokenMessenger: messenger, messageTransmitter: transmitter } },
    },
  }
}

async function logsOf({ cctp: { chain } }: Place, hash: string | undefined): Promise<Log[]> {
  // CAST: a step of the client names its transaction.
  const receipt = await chain.client.getTransactionReceipt({ hash: hash as Hex })
  return receipt.logs
}

const pinsOf = ({ cctp }: Place) => ({
  messenger: requireAddress(cctp.messenger),
  transmitter: requireAddress(cctp.transmitter),
})

test("our pinned chains are those of the published client", () => {
  const known = Object.values(published.chains).flatMap(({ type, chainId, usdcAddress, cctp }) =>
    type === "evm" && cctp?.contracts.v2 !== undefined
      ? [{ chainId, token: usdcAddress, domain: cctp.domain, ...cctp.contracts.v2 }]
      : [],
  )
  const lower = (text: string | undefined): string => String(text).toLowerCase()
  expect(cctpPresets).toHaveLength(22)
  for (const { chainId, domain, token, messenger, transmitter } of cctpPresets) {
    const found = known.find((chain) => chain.chainId === chainId)
    expect([chainId, found?.domain, lower(found?.token)]).toEqual([chainId, domain, lower(token)])
    expect([lower(found?.tokenMessenger), lower(found?.messageTransmitter)]).toEqual([
      lower(messenger),
      lower(transmitter),
    ])
  }
})

describe("the published client", () => {
  test.each([
    ["FAST", 13_000n],
    ["SLOW", 0n],
  ] as const)(
    "drives the local chains unmodified (%s)",
    async (transferSpeed, fee) => {
      redirectService()
      const account = privateKeyToAccount(generatePrivateKey())
      const places = [source, destination]
      for (const { cctp } of places) {
        await cctp.chain.setBalance(account.address, 10n ** 20n)
        await cctp.own("usdc", "mint", [account.address, AMOUNT])
        await cctp.chain.setMining("automine")
      }
      // A standard burn waits for three blocks, which only transactions make here.
      const mining = setInterval(() => void source.cctp.chain.advance(1), 300)
      const records = [recordOf("ArbitrumSepolia", source), recordOf("BaseSepolia", destination)]
      const transportOf = (chainId: number) =>
        http(places.find(({ cctp }) => cctp.chain.client.chain.id === chainId)?.cctp.chain.rpcUrl)
      const adapter = new published.adapter.ViemAdapter(
        {
          getPublicClient: ({ chain }) =>
            createPublicClient({ chain, transport: transportOf(chain.id), pollingInterval: 50 }),
          getWalletClient: ({ chain }) =>
            createWalletClient({ account, chain, transport: transportOf(chain.id) }),
        },
        { addressContext: "user-controlled", supportedChains: records },
      )
      const [from, to] = records.map((chain) => ({ adapter, chain, address: account.address }))
      const attestation = { retryDelay: 300, maxRetries: 60 }
      const provider = new published.provider.CCTPV2BridgingProvider({ attestation })
      try {
        const { state, steps } = await provider.bridge({
          source: mustExist(from, "the source"),
          destination: mustExist(to, "the destination"),
          amount: String(AMOUNT),
          token: "USDC",
          config: { transferSpeed },
        })
        expect([state, steps.map(({ errorMessage }) => errorMessage ?? "")]).toEqual([
          "success",
          ["", "", "", ""],
        ])
        const hashOf = (name: string) => steps.find((step) => step.name === name)?.txHash

        const burns = readBurns(await logsOf(source, hashOf("burn")), pinsOf(source))
        expect(burns.map(({ message }) => message)).toMatchObject([
          {
            sourceDomain: 3,
            destinationDomain: 6,
            amountUnits: AMOUNT,
            mintRecipient: wordOf(account.address),
            minFinalityThreshold: transferSpeed === "FAST" ? 1_000 : 2_000,
            hookData: "0x",
          },
        ])
        const mints = readMints(await logsOf(destination, hashOf("mint")), pinsOf(destination))
        expect(mints).toMatchObject([
          { mintRecipient: account.address, amountUnits: AMOUNT - fee, feeUnits: fee },
        ])
        expect(await balanceOf(destination, account.address)).toBe(2n * AMOUNT - fee)
      } finally {
        clearInterval(mining)
        for (const { cctp } of places) await cctp.chain.setMining("off")
      }
    },
    120_000,
  )
})
