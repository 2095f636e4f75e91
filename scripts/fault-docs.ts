import {
  ASSET_FAULTS,
  DAEMON_FAULTS,
  ENDPOINT_FAULTS,
  MACHINE_FAULTS,
  ORDER_FAULTS,
  type PlantedFault,
  SERVICE_FAULTS,
  START_FAULTS,
  STATE_FAULTS,
} from "../test/support/planted-faults.ts"
import { UNPLANTED_FAULTS } from "../test/support/unplanted-faults.ts"

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...ASSET_FAULTS,
  ...ENDPOINT_FAULTS,
  ...SERVICE_FAULTS,
  ...STATE_FAULTS,
  ...ORDER_FAULTS,
  ...DAEMON_FAULTS,
  ...MACHINE_FAULTS,
  ...START_FAULTS,
]

/**
 * The tables of planted faults, and of the alarms without one, of docs/FAULTS.md, from the
 * tables of the tests.
 */
export function describeFaults(): string {
  return [
    "| fault | how the test plants it | problem | alarm | `doctor` | remedy |",
    "|---|---|---|---|---|---|",
    ...PLANTED_FAULTS.map(describe),
    "",
    "The other alarms of [RUNBOOK.md](RUNBOOK.md) have no row, because a running sandbox " +
      "cannot be brought to them in a minute. Their tests make them in another way:",
    "",
    "| alarm | how it comes, or the reason | test |",
    "|---|---|---|",
    ...Object.entries(UNPLANTED_FAULTS).map(
      ([code, { why, test }]) => `| \`${code}\` | ${why} | \`${test}\` |`,
    ),
  ].join("\n")
}

function describe({ name, planted, code, alert, doctor, todo, command }: PlantedFault): string {
  const asCode = (text: string | null): string => (text === null ? "none" : `\`${text}\``)
  return (
    `| ${name} | ${planted} | ${asCode(code)} | ${asCode(alert)} | ` +
    `${doctor === null ? "no" : "yes"} | ${todo}${command === null ? "" : ` \`${command}\``} |`
  )
}

/** The text of docs/FAULTS.md with the table as the test has it now. */
export function refreshFaultTable(text: string): string {
  const before = text.split(BEGIN)[0]
  const rest = text.split(END)[1]
  if (before === undefined || rest === undefined)
    throw new Error(`docs/FAULTS.md lacks the marks ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n${describeFaults()}\n${END}${rest}`
}

const BEGIN = "<!-- fault-table:start -->"
const END = "<!-- fault-table:end -->"
