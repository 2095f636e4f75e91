import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
} from "../support/sandbox-process.ts"

type Signature = {
  purpose: string
  what: string
  digest: string | null
  content: Record<string, unknown>
  reasons: { code: string }[]
}
type Answer = {
  ok: boolean
  serviceOrderId: string
  findings: { code: string }[]
  deposit: { htlc: string; units: string; refundTo: string; timelock: string }
  signatures: Signature[]
  worstCase: {
    locked: string
    lockedForSeconds: number
    refundedBy: string
    refund: { who: string }
  }
}

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess()
  config = await writeE2eConfig(sandbox, "dry-run")
  daemon = startDaemonProcess(config)
  await daemon.ready()
}, 180_000)
afterAll(() => stopAll(daemon, sandbox))

async function dryRun(...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await runBallast(
    ["swap", ...args, "--dry-run", "--json", "--config", config.file],
    {
      env: config.env,
    },
  )
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return JSON.parse(stdout)
}
const htlcOf = (id: string): string =>
  mustExist(
    sandbox.chains.flatMap(({ assets }) => assets).find((asset) => asset.id === id)?.htlc,
    `the HTLC of ${id}`,
  )
const same = (a: unknown, b: string): boolean => String(a).toLowerCase() === b.toLowerCase()

describe("a dry run beside a running daemon", () => {
  test("shows inputs and outputs on Bitcoin: the HTLC gets the amount, our wallet the change", async () => {
    const { deposit, signatures, worstCase } = await dryRun(
      "bitcoin_testnet:btc",
      "base_sepolia:wbtc",
      "0.001",
    )
    const [only] = signatures
    expect(signatures).toHaveLength(1)
    expect(only).toMatchObject({
      purpose: "deposit",
      what: "transaction",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const { outputs } = mustExist(only, "the signature").content as {
      outputs: { address: string; units: string }[]
    }
    expect(outputs.map(({ address }) => address)).toEqual([deposit.htlc, deposit.refundTo])
    expect(outputs[0]?.units).toBe("100000")
    expect(worstCase).toMatchObject({ locked: "0.001 bitcoin_testnet:btc", refundedBy: "Ballast" })
  })

  test("shows the exact approval and the deposit's call on an EVM chain", async () => {
    const run = await dryRun(
      "base_sepolia:wbtc",
      "bitcoin_testnet:btc",
      "0.001",
      "--deposit",
      "onchain",
    )
    const [approval, deposit] = run.signatures
    expect(run.signatures.map(({ purpose }) => purpose)).toEqual(["approve", "deposit"])
    const htlc = htlcOf("base_sepolia:wbtc")
    // approve(address,uint256) of the exact amount.
    const amount = 100_000n.toString(16).padStart(64, "0")
    expect(approval?.content["data"]).toBe(
      `0x095ea7b3${htlc.slice(2).toLowerCase().padStart(64, "0")}${amount}`,
    )
    expect(same(deposit?.content["to"], htlc)).toBe(true)
    expect(deposit?.content["data"]).toContain(amount)
    // The simulation has the allowance that the approval will give.
    expect(deposit?.reasons).toEqual([])
    expect(deposit?.content).not.toHaveProperty("typedData")
  })

  test("shows the typed data of a gasless deposit", async () => {
    const run = await dryRun(
      "base_sepolia:wbtc",
      "bitcoin_testnet:btc",
      "0.001",
      "--deposit",
      "gasless",
    )
    expect(run.signatures.map(({ purpose, what }) => `${purpose} ${what}`)).toEqual([
      "approve transaction",
      "gasless typed data",
    ])
    expect(run.signatures[1]?.content).toMatchObject({
      primaryType: "Initiate",
      message: { amount: "100000" },
    })
  })

  test("shows the instructions on Solana", async () => {
    const { signatures } = await dryRun("solana_testnet:sol", "base_sepolia:wbtc", "0.5")
    const { instructions } = mustExist(signatures[0], "the signature").content as {
      instructions: { program: string; data: string }[]
    }
    const initiate = mustExist(instructions.at(-1), "the last instruction")
    expect(initiate.program).toBe(htlcOf("solana_testnet:sol"))
    // The discriminator of `initiate`.
    expect(initiate.data.slice(0, 16)).toBe("053f7b71994b940e")
  })

  test("shows the calls on Starknet: an approval of the exact amount, then the deposit", async () => {
    const { signatures } = await dryRun(
      "starknet_sepolia:wbtc",
      "base_sepolia:wbtc",
      "0.001",
      "--deposit",
      "onchain",
    )
    const { calls } = mustExist(signatures[0], "the signature").content as {
      calls: { to: string; function: string; calldata: string[] }[]
    }
    expect(calls.map((call) => call.function)).toEqual(["approve", "initiate"])
    const htlc = BigInt(htlcOf("starknet_sepolia:wbtc"))
    expect(BigInt(calls[0]?.calldata[0] ?? "0")).toBe(htlc)
    expect(calls[0]?.calldata.slice(1)).toEqual(["0x186a0", "0x0"])
    expect(BigInt(calls[1]?.to ?? "0")).toBe(htlc)
  })

  test("gives the same by HTTP, and refuses a word in the place of true", async () => {
    const request = { from: "base_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.02" }
    const { status, body } = await daemon.call("POST", "/api/v1/swap", { ...request, dryRun: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ok: true,
      signatures: [{ purpose: "deposit", content: { value: "20000000000000000" } }],
    })
    expect((await daemon.call("POST", "/api/v1/swap", { ...request, dryRun: "yes" })).status).toBe(
      400,
    )
  })

  test("refuses more than the wallet has, with the numbers", async () => {
    const args = [
      "swap",
      "base_sepolia:wbtc",
      "bitcoin_testnet:btc",
      "100000",
      "--dry-run",
      "--config",
      config.file,
    ]
    const { code, stdout } = await runBallast(args, { env: config.env })
    expect(code).toBe(1)
    expect(stdout).toContain("The swap would not be made. docs/ERRORS.md explains each code")
    const reasons = stdout.split("\n").filter((line) => /\[[a-z_.]+\]$/.test(line))
    expect(reasons.length).toBeGreaterThan(0)
    expect(reasons).toEqual([...new Set(reasons)])
  })

  test("leaves no order at the daemon, and no transaction on a chain", async () => {
    expect((await daemon.call("GET", "/api/v1/orders")).body).toMatchObject({ orders: [] })
    const { body } = await daemon.call("POST", "/api/v1/swap", {
      from: "base_sepolia:eth",
      to: "bitcoin_testnet:btc",
      amount: "0.02",
      dryRun: true,
    })
    // CAST: the answer of the test above.
    const { signatures } = body as { signatures: Signature[] }
    // The wallet has made no transaction: its first nonce is still free.
    expect(signatures[0]?.content["nonce"]).toBe("0")
  })
})
