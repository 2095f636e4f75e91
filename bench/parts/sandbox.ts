import { acceptSwap, waitForOutcome } from "../../test/support/e2e-orders.ts"
import { startNetworkRecorder } from "../../test/support/network-recorder.ts"
import {
  startDaemonProcess,
  startSandboxProcess,
  TOKEN,
  writeDaemonConfig,
} from "../../test/support/sandbox-process.ts"
import { atMost, type Part } from "../row.ts"

const CHAINS = ["base_sepolia", "bitcoin_testnet"] as const

/** One order on the real local chains of the sandbox, whose requests to the nodes a proxy counts from the order to its end. */
export const sandbox: Part = async () => {
  const local = await startSandboxProcess(["--chains", CHAINS.join(",")])
  const recorder = await startNetworkRecorder(local)
  const nodes = new Set(local.chains.map(({ url }) => url))
  const config = await writeDaemonConfig(recorder.sandbox, "bench", {}, { only: CHAINS, deposit: "onchain" })
  const daemon = startDaemonProcess(config, { BALLAST_OPS_TOKEN: TOKEN })
  try {
    await daemon.ready()
    const counts: number[] = []
    for (let turn = 0; turn < 2; turn++) {
      const before = recorder.exchanges.length
      const swap = { from: "base_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.02" }
      const { outcome } = await waitForOutcome(daemon, await acceptSwap(daemon, swap), 120_000)
      if (outcome !== "completed") throw new Error(`the order ended as ${outcome}`)
      counts.push(recorder.exchanges.slice(before).filter(({ target }) => nodes.has(target)).length)
    }
    return [{ what: "requests to nodes for an order", value: Math.min(...counts), unit: "", goal: atMost(20) }]
  } finally {
    await daemon.stop()
    await recorder.stop()
    await local.stop()
  }
}
