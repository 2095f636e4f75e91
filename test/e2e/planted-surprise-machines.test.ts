import { connect } from "node:tls"
import { type MachinePlace, testPlantedMachines } from "../support/planted-machines.ts"
import { SURPRISE_MACHINE_FAULTS, UNNAMED_SURPRISE } from "../support/surprise-faults.ts"

const ASK_EVERY_MS = 500
const HOUR_MS = 3_600_000
const STEP_AFTER_MS = 15_000
/** The module runs before the program. */
const STEP = `
  const Real = Date
  const at = performance.now() + ${STEP_AFTER_MS}
  const shift = () => (performance.now() > at ? -${HOUR_MS} : 0)
  globalThis.Date = class Date extends Real {
    constructor(...args) { args.length === 0 ? super(Real.now() + shift()) : super(...args) }
    static now() { return Real.now() + shift() }
  }`

const PLANTS: Readonly<Record<string, (place: MachinePlace) => Promise<boolean>>> = {
  clock_step: async () => true,
  tls_client: async ({ port, atEnd }) => {
    const timer = setInterval(() => void failsHandshake(port), ASK_EVERY_MS)
    atEnd(async () => clearInterval(timer))
    return failsHandshake(port)
  },
}

function failsHandshake(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false })
    socket.on("error", () => resolve(true))
    socket.on("secureConnect", () => {
      socket.destroy()
      resolve(false)
    })
  })
}

testPlantedMachines({
  name: "surprise",
  faults: SURPRISE_MACHINE_FAULTS.filter(({ at }) => UNNAMED_SURPRISE[at] === undefined),
  plants: PLANTS,
  env: {
    clock_step: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(STEP)}` },
  },
})
