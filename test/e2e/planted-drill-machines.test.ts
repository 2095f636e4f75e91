import { readFileSync, writeFileSync } from "node:fs"
import { DRILL_MACHINE_FAULTS } from "../support/drill-faults.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type MachinePlace, testPlantedMachines } from "../support/planted-machines.ts"
import { TOKEN } from "../support/sandbox-process.ts"

const ASLEEP_MS = 40_000

const PLANTS: Readonly<Record<string, (place: MachinePlace) => Promise<boolean>>> = {
  unknown_key: (place) => isRefused(place, { guards: { max_ordr: "5 usd" } }),
  variable_lost: (place) =>
    isRefused(place, { alerts: { receivers: { desk: { kind: "webhook", url: "env:DESK_KEY" } } } }),
  other_token: async ({ port }) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/status`, { headers })
    return answer.status === 401
  },
  asleep: async ({ daemon }) => {
    daemon.child.kill("SIGSTOP")
    await new Promise((resolve) => setTimeout(resolve, ASLEEP_MS))
    daemon.child.kill("SIGCONT")
    return daemon.child.exitCode === null
  },
}

/** The file is changed, and the daemon asked to read it. */
async function isRefused({ file, env }: MachinePlace, change: object): Promise<boolean> {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...change }))
  return (await runBallast(["reload", "--config", file], { env })).code !== 0
}

testPlantedMachines({
  name: "drill",
  faults: DRILL_MACHINE_FAULTS,
  plants: PLANTS,
  env: { other_token: { BALLAST_OPS_TOKEN: "the-token-of-another-daemon" } },
})
