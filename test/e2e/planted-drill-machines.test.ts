import { readFileSync, writeFileSync } from "node:fs"
import { DRILL_MACHINE_FAULTS, UNNAMED_DRILL } from "../support/drill-faults.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type MachinePlace, testPlantedMachines } from "../support/planted-machines.ts"

const PLANTS: Readonly<Record<string, (place: MachinePlace) => Promise<boolean>>> = {
  unknown_key: (place) => isRefused(place, { guards: { max_ordr: "5 usd" } }),
  variable_lost: (place) =>
    isRefused(place, { alerts: { receivers: { desk: { kind: "webhook", url: "env:DESK_KEY" } } } }),
}

/** The file is changed, and the daemon asked to read it. */
async function isRefused({ file, env }: MachinePlace, change: object): Promise<boolean> {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...change }))
  return (await runBallast(["reload", "--config", file], { env })).code !== 0
}

testPlantedMachines({
  name: "drill",
  faults: DRILL_MACHINE_FAULTS.filter(({ at }) => UNNAMED_DRILL[at] === undefined),
  plants: PLANTS,
})
