import { createHash, randomBytes } from "node:crypto"
import {
  encodeFunctionData,
  getAddress,
  type Hex,
  type hashTypedData,
  isHex,
  type PrivateKeyAccount,
} from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import { createSender, type Sender } from "../../../../src/lab/sandbox/evm/create-sender.ts"
import { deriveOrderId } from "../../../../src/lab/sandbox/evm/describe-swap.ts"
import { type LocalEvmChain, startEvmChain } from "../../../../src/lab/sandbox/evm/evm-chain.ts"
import { htlcAbi } from "../../../../src/lab/sandbox/evm/htlc-abi.ts"
import { tokenAbi } from "../../../../src/lab/sandbox/evm/token-abi.ts"
import type { LocalSwap, SwapRequest } from "../../../../src/lab/sandbox/local-chain.ts"

const WBTC = "base_sepolia:wbtc"
const ETH = "base_sepolia:eth"
const UNITS = 50_000n

let chain: LocalEvmChain
let account: PrivateKeyAccount
let user: Sender

beforeAll(async () => {
  chain = await startEvmChain({
    name: "base_sepolia",
    chainId: 84532,
    port: 0,
    blockTimeSeconds: 0.1,
    assets: [
      { symbol: "eth", native: true },
      { symbol: "wbtc", decimals: 8 },
    ],
    log: silentLogger,
  })
})

afterAll(() => chain.stop())

beforeEach(async () => {
  await chain.setMining("automine")
  account = privateKeyToAccount(generatePrivateKey())
  user = createSender(chain.client, account)
  await chain.setBalance(account.address, 10n ** 18n)
})

test("derives the order ids that live deployments publish", () => {
  const terms = {
    initiator: "0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd",
    redeemer: "0x004Cc75ACF4132Fc08cB6a252E767804F303F729",
    timelock: 3_600n,
    units: 498_500n,
    secretHash: "0x3c4522983261f81e2e679346bbda5dddd8b4ea0367dd4073f73f13320d9dee62",
  } as const
  const published = "0x3ab702b4db8f9b54f56d4ceeab7811ee02447785605a2c5b8df7dcc071efed91"
  expect(deriveOrderId("v2", { chainId: 84532, htlc: terms.redeemer }, terms)).toBe(published)
})

test("deploys the same addresses on every start, and describes its assets and timelocks", async () => {
  const eth = {
    id: ETH,
    decimals: 18,
    token: null,
    htlc: "0x0daE4B92B1B9d93eB8f8C22cdD7b4937cdE95Ff2",
  }
  expect(chain.assets).toMatchObject([
    { ...eth, htlc: expect.any(String) },
    { id: WBTC, decimals: 8 },
  ])
  expect(chain).toMatchObject({ chainId: 84532, timelocks: { source: 43_200, destination: 3_600 } })
  const other = await startEvmChain({
    name: "ethereum_sepolia",
    chainId: 11155111,
    port: 0,
    assets: [
      { symbol: "eth", native: true },
      { symbol: "wbtc", decimals: 8 },
    ],
    log: silentLogger,
  })
  expect(other.assets.map(({ htlc, token }) => [htlc, token])).toEqual(
    chain.assets.map(({ htlc, token }) => [htlc, token]),
  )
  expect(other.timelocks).toEqual({ source: 7_200, destination: 600 })
  expect(await other.client.getChainId()).toBe(11155111)
  await other.stop()
})

test("describes a deposit request in the documented form", async () => {
  const request = newRequest(WBTC)
  const { swap, response } = await chain.describeSource(request)
  const { htlc } = assetOf(WBTC)
  expect(response).toEqual({
    transaction: {
      to: htlc,
      value: "0x0",
      data: encodeFunctionData({
        abi: htlcAbi,
        functionName: "initiate",
        args: [chain.solver, 43_200n, UNITS, `0x${request.secretHash}`],
      }),
      gas_limit: expect.stringMatching(/^0x[0-9a-f]+$/),
      chain_id: 84532,
    },
    typed_data: {
      domain: { name: "HTLC", version: "3", chainId: "0x14a34", verifyingContract: htlc },
      primaryType: "Initiate",
      types: {
        EIP712Domain: [
          { name: "name", type: "string" },
          { name: "version", type: "string" },
          { name: "chainId", type: "uint256" },
          { name: "verifyingContract", type: "address" },
        ],
        Initiate: [
          { name: "redeemer", type: "address" },
          { name: "timelock", type: "uint256" },
          { name: "amount", type: "uint256" },
          { name: "secretHash", type: "bytes32" },
        ],
      },
      message: {
        redeemer: chain.solver,
        timelock: "0xa8c0",
        amount: "0xc350",
        secretHash: `0x${request.secretHash}`,
      },
    },
  })
  expect(swap).toMatchObject({
    side: "source",
    initiator: account.address,
    redeemer: chain.solver,
    units: "50000",
  })
  expect(JSON.parse(JSON.stringify(swap))).toEqual(swap)
  const domain = { address: htlc, abi: htlcAbi, functionName: "eip712Domain" } as const
  const onChain = await chain.client.readContract(domain)
  expect(onChain.slice(0, 5)).toEqual(["0x0f", "HTLC", "3", 84532n, htlc])
})

test.each([WBTC, ETH])(
  "carries destination data in the deposit request of %s, and fills the same swap with it",
  async (assetId) => {
    const request = { ...newRequest(assetId), destinationData: "0x1234" }
    const { swap, response } = await chain.describeSource(request)
    expect(response).toMatchObject({
      transaction: { data: expect.stringMatching(/^0x4ede0ab7/) },
      typed_data: assetId === ETH ? null : { message: { destinationData: "0x1234" } },
    })
    await chain.fund(account.address, WBTC, UNITS)
    await approve(UNITS)
    // CAST: the documented form of the response.
    const { to, data, value } = response["transaction"] as { to: Hex; data: Hex; value: Hex }
    await mined(user.send({ to, data, value: BigInt(value) }))
    expect((await chain.observeSwap(swap)).initiated?.filledUnits).toBe(UNITS)
  },
)

test("observes a source swap of the user and redeems it for the solver", async () => {
  const { swap, secret } = await fundedSource(WBTC)
  const before = await chain.balance(chain.solver, WBTC)
  const funded = await chain.observeSwap(swap)
  expect(funded).toMatchObject({
    initiated: { filledUnits: UNITS, confirmations: 1 },
    redeemed: null,
    refunded: null,
  })
  await chain.advance(2)
  expect((await chain.observeSwap(swap)).initiated?.confirmations).toBe(3)

  await expect(chain.redeem(swap, randomBytes(32).toString("hex"))).rejects.toMatchObject({
    details: { reason: expect.stringMatching(/^HTLC__IncorrectSecret/) },
  })
  const txHash = await mined(chain.redeem(swap, secret))
  const redeemed = await chain.observeSwap(swap)
  expect(redeemed.redeemed).toMatchObject({ txHash, secret, confirmations: 1 })
  expect((await chain.balance(chain.solver, WBTC)) - before).toBe(UNITS)
  await expect(chain.redeem(swap, secret)).rejects.toMatchObject({
    details: { reason: expect.stringMatching(/^HTLC__OrderFulfilled/) },
  })
})

test.each([WBTC, ETH])(
  "funds a destination swap in %s and pays its owner the exact amount",
  async (assetId) => {
    const secret = randomBytes(32).toString("hex")
    const owner = privateKeyToAccount(generatePrivateKey()).address
    const swap = await chain.describeDestination({
      ...newRequest(assetId, secret),
      owner: owner.toLowerCase(),
    })
    expect(swap).toMatchObject({ owner, redeemer: owner, initiator: chain.solver })
    expect(await chain.observeSwap(swap)).toMatchObject({
      initiated: null,
      redeemed: null,
      refunded: null,
    })
    const txHash = await mined(chain.initiate(swap))
    expect((await chain.observeSwap(swap)).initiated).toMatchObject({ txHash, filledUnits: UNITS })
    await expect(chain.initiate(swap)).rejects.toMatchObject({
      disposition: "refused",
      details: { reason: expect.stringMatching(/^(Native)?HTLC__DuplicateOrder\(\)$/) },
    })
    await mined(chain.redeem(swap, secret))
    expect(await chain.balance(owner, assetId)).toBe(UNITS)
  },
)

test.each([WBTC, ETH])(
  "refuses a refund of %s one block early and pays it afterwards",
  async (assetId) => {
    const timelock = 20
    const { swap } = await fundedSource(assetId, timelock)
    const before = await chain.balance(account.address, assetId)
    const initiatedAt = (await chain.observeSwap(swap)).initiated?.blockNumber ?? 0n
    await chain.setMining("off")
    // The pending block is the next one: initiatedAt + timelock is one block too early.
    await chain.advance(timelock - 1)
    expect((await chain.height()) + 1n).toBe(initiatedAt + BigInt(timelock))
    await expect(chain.refund(swap)).rejects.toMatchObject({
      details: { reason: expect.stringMatching(/HTLC__OrderNotExpired/) },
    })
    await chain.advance(1)
    const txHash = await chain.refund(swap)
    await chain.advance(1)
    const seen = await chain.observeSwap(swap)
    expect(seen.refunded).toMatchObject({
      txHash,
      blockNumber: initiatedAt + BigInt(timelock) + 1n,
    })
    expect((await chain.balance(account.address, assetId)) - before).toBe(UNITS)
  },
)

test("relays a signature over the typed data, and only once", async () => {
  const { swap, response } = await approvedSource()
  const signature = await sign(account, response)
  const txHash = await mined(chain.initiateWithSignature(swap, signature))
  expect((await chain.observeSwap(swap)).initiated).toMatchObject({ txHash, filledUnits: UNITS })
  expect(await chain.balance(account.address, WBTC)).toBe(0n)
  await expect(chain.initiateWithSignature(swap, signature)).rejects.toMatchObject({
    details: { reason: expect.stringMatching(/^(Native)?HTLC__DuplicateOrder\(\)$/) },
  })
})

test("refuses a signature by another key or of another message, a malleated one and a malformed one", async () => {
  const { swap, response } = await approvedSource()
  const good = await sign(account, response)
  const stranger = await sign(privateKeyToAccount(generatePrivateKey()), response)
  const { response: otherOrder } = await chain.describeSource(newRequest(WBTC))
  const bad = [stranger, await sign(account, otherOrder), malleated(good), good.slice(0, -2), "0x"]
  for (const signature of bad) {
    await expect(chain.initiateWithSignature(swap, signature)).rejects.toMatchObject({
      code: "sandbox.evm_reverted",
      details: { reason: expect.stringMatching(/^HTLC__InvalidInitiatorSignature/) },
    })
  }
  await expect(chain.initiateWithSignature(swap, "signature")).rejects.toMatchObject({
    code: "sandbox.evm_signature",
  })
  expect((await chain.observeSwap(swap)).initiated).toBe(null)
})

test("refuses a signed initiation without allowance or balance and gives the reason", async () => {
  const { swap, response } = await chain.describeSource(newRequest(WBTC))
  const signature = await sign(account, response)
  const refusal = (name: RegExp) => ({ details: { reason: expect.stringMatching(name) } })
  await expect(chain.initiateWithSignature(swap, signature)).rejects.toMatchObject(
    refusal(/^InsufficientAllowance/),
  )
  await approve(UNITS)
  await expect(chain.initiateWithSignature(swap, signature)).rejects.toMatchObject(
    refusal(/^InsufficientBalance/),
  )
})

test("refuses zero terms, and ourselves as redeemer", async () => {
  await chain.fund(account.address, WBTC, UNITS)
  await approve(UNITS)
  const hash = `0x${"11".repeat(32)}` as const
  const zeroAddress = "0x0000000000000000000000000000000000000000"
  await expect(initiate(WBTC, [zeroAddress, 1n, 1n, hash])).rejects.toMatchObject({
    details: { reason: "HTLC__ZeroAddressRedeemer()" },
  })
  await expect(initiate(WBTC, [chain.solver, 0n, 1n, hash])).rejects.toMatchObject({
    details: { reason: "HTLC__ZeroTimelock()" },
  })
  await expect(initiate(WBTC, [chain.solver, 1n, 0n, hash])).rejects.toMatchObject({
    details: { reason: "HTLC__ZeroAmount()" },
  })
  await expect(initiate(WBTC, [account.address, 1n, 1n, hash])).rejects.toMatchObject({
    details: { reason: "HTLC__SameInitiatorAndRedeemer()" },
  })
  await expect(initiate(ETH, [chain.solver, 1n, 2n, hash], 1n)).rejects.toMatchObject({
    details: { reason: "NativeHTLC__IncorrectFundsRecieved()" },
  })
})

test("reports a deposit of another amount unchanged and refunds it", async () => {
  await chain.fund(account.address, WBTC, UNITS)
  await approve(UNITS)
  const request = { ...newRequest(WBTC), timelock: 3 }
  const { swap } = await chain.describeSource(request)
  await mined(initiate(WBTC, [chain.solver, 3n, UNITS - 1n, `0x${request.secretHash}`]))
  const seen = await chain.observeSwap(swap)
  expect(seen.initiated?.filledUnits).toBe(UNITS - 1n)
  expect(seen.deposit?.orderId).not.toBe(`0x${swap.swapId}`)
  await chain.advance(4)
  await mined(chain.refund(swap))
  expect((await chain.observeSwap(swap)).refunded).not.toBe(null)
  expect(await chain.balance(account.address, WBTC)).toBe(UNITS)
})

test(
  "counts a deposit for another redeemer as unfilled, ignores a stranger's deposit, and " +
    "prefers the exact one",
  async () => {
    await chain.fund(account.address, WBTC, 3n * UNITS)
    await approve(3n * UNITS)
    const request = newRequest(WBTC)
    const secretHash: Hex = `0x${request.secretHash}`
    const { swap } = await chain.describeSource(request)
    const foreigner = privateKeyToAccount(generatePrivateKey()).address
    const foreign = await chain.describeSource({ ...request, owner: foreigner })

    await mined(initiate(WBTC, [foreigner, 43_200n, UNITS, secretHash]))
    const wrong = await chain.observeSwap(swap)
    expect(wrong.initiated?.filledUnits).toBe(0n)
    expect(wrong.deposit?.terms.redeemer).toBe(foreigner)
    expect((await chain.observeSwap(foreign.swap)).initiated).toBe(null)

    await mined(initiate(WBTC, [chain.solver, 43_200n, UNITS, secretHash]))
    await mined(initiate(WBTC, [chain.solver, 1n, UNITS, secretHash]))
    expect(await chain.observeSwap(swap)).toMatchObject({
      initiated: { filledUnits: UNITS },
      deposit: { orderId: `0x${swap.swapId}` },
    })
  },
)

test("serves many concurrent orders on an interval chain", async () => {
  await chain.setMining("interval")
  const requests = Array.from({ length: 20 }, (_, index) =>
    newRequest(index % 2 === 0 ? WBTC : ETH),
  )
  const swaps = await Promise.all(requests.map((request) => chain.describeDestination(request)))
  const hashes = await Promise.all(swaps.map((swap) => chain.initiate(swap)))
  expect(new Set(hashes).size).toBe(20)
  for (const hash of hashes) await mined(Promise.resolve(hash))
})

test("drops a deposit with its block in a reorganisation, and continues", async () => {
  const request = newRequest(WBTC)
  const swap = await chain.describeDestination(request)
  await mined(chain.initiate(swap))
  await chain.advance(24)
  const height = await chain.height()
  await chain.reorg(25)
  expect(await chain.height()).toBe(height)
  expect((await chain.observeSwap(swap)).initiated).toBe(null)
  await mined(chain.initiate(swap))
  expect((await chain.observeSwap(swap)).initiated?.filledUnits).toBe(UNITS)
})

test("mines only on demand while mining is off, even thousands of blocks in one call", async () => {
  await chain.setMining("off")
  const height = await chain.height()
  const hash = await user.send({ to: chain.solver, value: 1n })
  await expect(chain.client.getTransactionReceipt({ hash })).rejects.toThrow("could not be found")
  await chain.advance(4_500)
  expect(await chain.height()).toBe(height + 4_500n)
  expect((await chain.client.getTransactionReceipt({ hash })).status).toBe("success")
})

test("funds exact amounts, and accepts only its own assets and addresses", async () => {
  const someone = privateKeyToAccount(generatePrivateKey()).address
  await chain.fund(someone, ETH, 7n)
  await chain.fund(someone, WBTC, 8n)
  expect([await chain.balance(someone, ETH), await chain.balance(someone, WBTC)]).toEqual([7n, 8n])
  await expect(chain.fund(someone, "base_sepolia:usdc", 1n)).rejects.toMatchObject({
    code: "sandbox.unknown_asset",
  })
  expect([someone, someone.toLowerCase()].map(chain.isAddress)).toEqual([true, true])
  const wrong = ["", "bc1q", `0x${"00".repeat(20)}`, someone.slice(0, -1), someone.toUpperCase()]
  expect(wrong.map(chain.isAddress)).toEqual(wrong.map(() => false))
})

/**
 * Waits for the receipt, because automine also mines a moment after the node has accepted the
 * transaction.
 */
async function mined(sent: Promise<string>): Promise<string> {
  const hash = asHex(await sent)
  expect(await chain.client.waitForTransactionReceipt({ hash })).toMatchObject({
    status: "success",
  })
  return hash
}

function newRequest(assetId: string, secret = randomBytes(32).toString("hex")): SwapRequest {
  const secretHash = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
  return { assetId, units: UNITS, owner: account.address, secretHash, timelock: 43_200 }
}

function assetOf(assetId: string): LocalEvmChain["assets"][number] {
  const asset = chain.assets.find(({ id }) => id === assetId)
  if (!asset) throw new Error(`no ${assetId}`)
  return asset
}

async function approve(units: bigint): Promise<void> {
  const { token, htlc } = assetOf(WBTC)
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "approve", args: [htlc, units] })
  await mined(user.send({ to: asHex(token), data }))
}

function initiate(
  assetId: string,
  args: readonly [Hex, bigint, bigint, Hex],
  value = 0n,
): Promise<Hex> {
  const data = encodeFunctionData({ abi: htlcAbi, functionName: "initiate", args })
  return user.send({ to: assetOf(assetId).htlc, data, value })
}

/** Funds a source swap with the data of the create answer only. */
async function fundedSource(
  assetId: string,
  timelock = 43_200,
): Promise<{ swap: LocalSwap; secret: string }> {
  const secret = randomBytes(32).toString("hex")
  const { swap, response } = await chain.describeSource({
    ...newRequest(assetId, secret),
    timelock,
  })
  if (assetId === WBTC) {
    await chain.fund(account.address, WBTC, UNITS)
    await approve(UNITS)
  } else {
    expect(response["typed_data"]).toBe(null)
  }
  // CAST: the documented form of the response.
  const { to, data, value } = response["transaction"] as { to: Hex; data: Hex; value: Hex }
  await mined(user.send({ to: getAddress(to), data, value: BigInt(value) }))
  return { swap, secret }
}

async function approvedSource(): Promise<{ swap: LocalSwap; response: Record<string, unknown> }> {
  await chain.fund(account.address, WBTC, UNITS)
  await approve(UNITS)
  return chain.describeSource(newRequest(WBTC))
}

function sign(signer: PrivateKeyAccount, response: Record<string, unknown>): Promise<Hex> {
  // CAST: the test checks that the signer accepts EIP-712 typed data in its wire form.
  const typedData = response["typed_data"] as Parameters<typeof hashTypedData>[0]
  return signer.signTypedData(typedData)
}

/** The malleated form of a signature: n - s and the other parity. */
function malleated(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith("1b") ? "1c" : "1b"
  return `${asHex(signature.slice(0, 66))}${s.toString(16).padStart(64, "0")}${v}`
}

function asHex(text: string | null): Hex {
  if (!isHex(text)) throw new Error(`${text} is not hex`)
  return text
}
