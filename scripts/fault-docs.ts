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

/** The table of planted faults of docs/OPERATIONS.md, from the table of the test that plants them. */
export function describeFaults(): string {
  const rows = [
    ...ASSET_FAULTS,
    ...ENDPOINT_FAULTS,
    ...SERVICE_FAULTS,
    ...STATE_FAULTS,
    ...ORDER_FAULTS,
    ...DAEMON_FAULTS,
    ...MACHINE_FAULTS,
    ...START_FAULTS,
  ].map(describe)
  return [
    "| fault | how the test plants it | problem | alarm | `doctor` | remedy |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n")
}

function describe({ name, planted, code, alert, doctor, todo, command }: PlantedFault): string {
  const asCode = (text: string | null): string => (text === null ? "none" : `\`${text}\``)
  return `| ${name} | ${planted} | ${asCode(code)} | ${asCode(alert)} | ${doctor === null ? "no" : "yes"} | ${todo}${command === null ? "" : ` \`${command}\``} |`
}

/** The text of docs/OPERATIONS.md with the table as the test has it now. */
export function refreshFaultTable(text: string): string {
  const [before, rest] = [text.split(BEGIN)[0], text.split(END)[1]]
  if (before === undefined || rest === undefined)
    throw new Error(`docs/OPERATIONS.md lacks the marks ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n${describeFaults()}\n${END}${rest}`
}

const BEGIN = "<!-- fault-table:start -->"
const END = "<!-- fault-table:end -->"
