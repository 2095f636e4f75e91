import { globSync } from "node:fs"
import { basename } from "node:path"
import { describe, expect, test } from "vitest"
import { COMMANDS } from "./command-list.ts"
import { formatCommandHelp, formatOverview } from "./format/format-help.ts"
import { parseArguments } from "./parse-arguments.ts"

describe("the declared commands", () => {
  test("are those of the folder, each in the file of its name", () => {
    const found = globSync("commands/*/*.ts", { cwd: import.meta.dirname })
    const files = found.map((file) => basename(file, ".ts"))
    expect(COMMANDS.map(({ name }) => name).toSorted()).toEqual(files.toSorted())
  })

  test.each(COMMANDS)("$name has valid examples and phrases without a full stop", (command) => {
    expect(command.examples.length).toBeGreaterThan(0)
    for (const example of command.examples) {
      const argv = [command.name, ...example.split(" ").filter((word) => word !== "")]
      expect(parseArguments(argv, COMMANDS)).toMatchObject({
        kind: "command",
        command: { name: command.name },
      })
    }
    const declared = [...Object.values(command.operands), ...Object.values(command.options)]
    for (const { summary } of [command, ...declared])
      expect(summary).toMatch(/^[^A-Z][^\n]*[^.\s]$/)
  })

  test.each(COMMANDS)("$name has required operands before optional ones", ({ operands }) => {
    const optional = Object.values(operands).map((operand) => operand.optional === true)
    expect(optional).toEqual(optional.toSorted((a, b) => Number(a) - Number(b)))
  })

  test.each(COMMANDS)("$name has help with each operand and option", (command) => {
    const help = formatCommandHelp(command)
    expect(help).toContain(`Usage: ballast ${command.name}`)
    for (const name of Object.keys(command.operands))
      expect(help).toContain(`  ${name.toUpperCase()} `)
    for (const name of [...Object.keys(command.options), "config", "json", "help"])
      expect(help).toContain(`--${name}`)
    expect(formatOverview(COMMANDS)).toContain(`  ${command.name} `)
  })

  test("stand in groups of at most nine, each with a heading", () => {
    const groups = Map.groupBy(COMMANDS, ({ group }) => group ?? "")
    const overview = formatOverview(COMMANDS)
    for (const [title, commands] of groups) {
      expect(commands.length, title).toBeLessThanOrEqual(9)
      const [first] = commands
      expect(overview).toContain(`\n\n${title}:\n  ${first?.name}`)
    }
    expect(groups.has("")).toBe(false)
  })

  test("keep the names, options and exit codes of the 0.1 interface", () => {
    for (const line of INTERFACE) {
      const [name = "", ...options] = line.split(" ")
      const command = COMMANDS.find((candidate) => candidate.name === name)
      expect(Object.keys(command?.options ?? {}), name).toEqual(expect.arrayContaining(options))
      expect(command?.name).toBe(name)
    }
    expect(formatOverview(COMMANDS)).toContain(
      "Exit codes: 0 ok, 1 refused or not found, 64 usage, 70 bug, 75 try later, 76 " +
        "uncertain, 78 configuration.",
    )
  })
})

const INTERFACE = [
  "run",
  "demo orders routes chains dialect",
  "sandbox port chains dir dialect gasless app-id app-id-header contracts hostile " +
    "bitcoin-block solana-slot services",
  "check",
  "swap wait deposit destination",
  "orders open limit",
  "order",
  "rescue",
  "plan",
  "why",
  "replay",
  "doctor",
  "backup to",
  "simulate days seeds seed against scenario balances flows quotes plot",
  "balances",
  "wallet",
  "report period by affiliate",
  "export format from to output",
  "reconcile accept as",
  "recover",
  "pause chain rule",
  "resume chain rule",
  "reload",
  "approve intent",
  "reject",
  "retry",
  "abandon",
  "refund",
  "redeem",
]
