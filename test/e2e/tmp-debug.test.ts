import { expect, test } from "vitest"
import { Connection, VersionedTransaction } from "@solana/web3.js"
import { startSandboxProcess, startDaemonProcess } from "../support/sandbox-process.ts"
import { callRpc } from "../support/e2e-chain.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
test("debug", async () => {
    const sandbox = await startSandboxProcess(["--chains", "base_sepolia,solana_testnet", "--dialect", "2026", "--solana-slot", "100"])
    const daemon = startDaemonProcess(await writeE2eConfig(sandbox, "gasless", {}, { deposit: "gasless" }))
    await daemon.ready()
    const chain = sandbox.chains.find(({ name }) => name === "solana_testnet")!
    const c = new Connection(chain.url, "confirmed")
    const id = await acceptSwap(daemon, { from: "solana_testnet:usdc", to: "base_sepolia:wbtc", amount: "101.11" })
    const order = await waitForOutcome(daemon, id, 30_000)
    const orders = await (await fetch(`${sandbox.service}/sandbox/orders`)).json() as any
    const text = orders.orders[0].source.swap.extra.gasless
    const tx = VersionedTransaction.deserialize(Buffer.from(text, "base64"))
    console.log(JSON.stringify(order.reasons), tx.message.recentBlockhash, await c.getLatestBlockhash(),
      JSON.stringify(await callRpc(chain.url, "isBlockhashValid", [tx.message.recentBlockhash, { commitment: "confirmed" }])),
      await c.getSlot("confirmed"), await c.getBlockHeight("confirmed"))
    console.log(daemon.output().slice(-6000))
    await daemon.stop(); await sandbox.stop()
  expect(1).toBe(2)
}, 100_000)
