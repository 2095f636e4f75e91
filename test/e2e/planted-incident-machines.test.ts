import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { freePort } from "../support/free-port.ts"
import { INCIDENT_MACHINE_FAULTS, UNNAMED_INCIDENT } from "../support/incident-faults.ts"
import { type MachinePlace, testPlantedMachines } from "../support/planted-machines.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN } from "../support/sandbox-process.ts"

const ASK_EVERY_MS = 500
const DEATHS = 5

const PLANTS: Readonly<Record<string, (place: MachinePlace) => Promise<boolean>>> = {
  proxy_host: async ({ port, atEnd }) => {
    const ask = (): Promise<number> => askByName(port, "desk.example.com")
    const timer = setInterval(() => void ask().catch(() => undefined), ASK_EVERY_MS)
    atEnd(async () => clearInterval(timer))
    return (await ask()) >= 400
  },
  shm_gone: async ({ data }) => {
    rmSync(join(data, "journal.db-shm"))
    return !existsSync(join(data, "journal.db-shm"))
  },
  twin: async ({ data, file, env, atEnd }) => {
    const port = await freePort()
    const config = JSON.parse(readFileSync(file, "utf8"))
    const twin = `${file}.twin.yaml`
    const ops = { ...config.ops, listen: `127.0.0.1:${port}` }
    writeFileSync(twin, JSON.stringify({ ...config, ops, data_dir: `${data}.twin` }))
    const daemon = startDaemonProcess({ file: twin, port }, env)
    atEnd(daemon.stop)
    await daemon.serves()
    return (await daemon.call("GET", "/api/v1/status")).status === 200
  },
  restart_loop: async ({ daemon, file, port, env, atEnd }) => {
    let running: DaemonProcess = daemon
    for (let death = 0; death < DEATHS; death++) {
      running.child.kill("SIGKILL")
      await running.exited
      running = startDaemonProcess({ file, port }, env)
      await running.serves()
    }
    atEnd(running.stop)
    return running.child.exitCode === null
  },
}

function askByName(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${TOKEN}` }
    const asked = request({ host: "127.0.0.1", port, path: "/api/v1/status", headers })
    asked.on("error", reject)
    asked.on("response", (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.end()
  })
}

testPlantedMachines({
  name: "incident",
  faults: INCIDENT_MACHINE_FAULTS.filter(({ at }) => UNNAMED_INCIDENT[at] === undefined),
  plants: PLANTS,
})
