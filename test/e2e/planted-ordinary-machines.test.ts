import { statSync, truncateSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { ORDINARY_MACHINE_FAULTS } from "../support/ordinary-faults.ts"
import { type MachinePlace, testPlantedMachines } from "../support/planted-machines.ts"
import { shiftClock } from "../support/shift-clock.ts"

const TEN_MINUTES_MS = 600_000
/** More than the port takes, from addresses that each take fewer than one of them may. */
const ADDRESSES = 6
const CONNECTIONS = 30
const GUESS_EVERY_MS = 500

const PLANTS: Readonly<Record<string, (place: MachinePlace) => Promise<boolean>>> = {
  clock_back: async () => true,
  journal_cut: async ({ data }) => {
    truncateSync(join(data, "journal.db"), 0)
    return statSync(join(data, "journal.db")).size === 0
  },
  crowded: async ({ daemon, port }) => {
    const fill = (): void => {
      for (let address = 0; address < ADDRESSES; address++)
        for (let one = 0; one < CONNECTIONS; one++) openSilent(port, `127.0.4.${address + 1}`)
    }
    fill()
    const timer = setInterval(fill, 4_000)
    daemon.child.once("exit", () => clearInterval(timer))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return isTurnedAway(port)
  },
  guessing: async ({ daemon, port }) => {
    const guess = async (): Promise<number> => {
      const headers = { authorization: "Bearer a-token-that-is-wrong-and-long" }
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/status`, { headers })
      return answer.status
    }
    for (let one = 0; one < 10; one++) await guess()
    const timer = setInterval(() => void guess().catch(() => undefined), GUESS_EVERY_MS)
    daemon.child.once("exit", () => clearInterval(timer))
    return (await guess()) === 429
  },
}

function openSilent(port: number, localAddress: string): void {
  const socket = connect({ port, host: "127.0.0.1", localAddress })
  socket.on("error", () => undefined)
}

/** A further connection is closed without an answer. */
async function isTurnedAway(port: number): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.4.99" })
  let text = ""
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString()
  })
  socket.on("error", () => undefined)
  socket.write("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
  await new Promise((resolve) => socket.once("close", resolve))
  return text === ""
}

testPlantedMachines({
  name: "ordinary",
  faults: ORDINARY_MACHINE_FAULTS,
  plants: PLANTS,
  env: { clock_back: shiftClock(-TEN_MINUTES_MS) },
})
