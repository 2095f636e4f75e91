import { lstatSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type MachinePlace, testPlantedMachines } from "../support/planted-machines.ts"
import { shiftClock } from "../support/shift-clock.ts"
import { SUNDRY_MACHINE_FAULTS } from "../support/sundry-faults.ts"

const TEN_MINUTES_MS = 600_000

const PLANTS: Readonly<Record<string, (place: MachinePlace) => Promise<boolean>>> = {
  clock_ahead: async () => true,
  sock_file: async ({ data }) => {
    const socket = join(data, "ballast.sock")
    rmSync(socket)
    writeFileSync(socket, "", { mode: 0o600 })
    return lstatSync(socket).isFile()
  },
}

testPlantedMachines({
  name: "sundry",
  faults: SUNDRY_MACHINE_FAULTS,
  plants: PLANTS,
  env: { clock_ahead: shiftClock(TEN_MINUTES_MS) },
})
