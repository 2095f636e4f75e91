import { describe, expect, test } from "vitest"
import { COMMANDS } from "./command-list.ts"
import { defineCommand } from "./define-command.ts"
import { parseArguments, type Request } from "./parse-arguments.ts"

const toy = defineCommand({
  name: "toy",
  summary: "show every kind of operand and option",
  operands: {
    from: { summary: "an asset" },
    shell: { summary: "a shell", values: ["bash", "zsh"], optional: true },
  },
  options: {
    open: { type: "flag", summary: "a flag" },
    to: { type: "text", value: "FILE", short: "o", summary: "a text" },
    by: { type: "choice", values: ["rule", "pair"], default: "pair", summary: "a choice" },
    days: { type: "number", min: 1, max: 90, summary: "a number with both bounds" },
    limit: { type: "number", min: 1, default: 50, summary: "a number with a default" },
    port: { type: "number", min: 0, summary: "a number from zero" },
  },
  run: async (_context, { operands, options }) => {
    // These lines check the inferred types: they would not compile for a wider or a narrower type.
    const from: string = operands.from
    const shell: "bash" | "zsh" | null = operands.shell
    const { open, to, by, days, limit }: Values = options
    return [from, shell, open, to, by, days, limit].length
  },
})
type Values = {
  readonly open: boolean
  readonly to: string | null
  readonly by: "rule" | "pair"
  readonly days: number | null
  readonly limit: number
}

function parse(...argv: string[]): Request {
  return parseArguments(argv, [toy, ...COMMANDS])
}

function inputOf(...argv: string[]) {
  const request = parse(...argv)
  return request.kind === "command" ? request.input : null
}

describe("a command line", () => {
  test("gives operands and options their declared types", () => {
    expect(
      inputOf(
        "toy",
        "btc",
        "bash",
        "--open",
        "-o",
        "x.db",
        "--by",
        "rule",
        "--days",
        "7",
        "--port=0",
      ),
    ).toEqual({
      operands: { from: "btc", shell: "bash" },
      options: { open: true, to: "x.db", by: "rule", days: 7, limit: 50, port: 0 },
    })
  })

  test("gives a missing option its default, or null", () => {
    expect(inputOf("toy", "btc")).toEqual({
      operands: { from: "btc", shell: null },
      options: { open: false, to: null, by: "pair", days: null, limit: 50, port: null },
    })
  })

  test.each([
    [["--config", "b.yaml", "--json", "orders", "--open"]],
    [["orders", "--open", "--json", "--config", "b.yaml"]],
    [["-c", "b.yaml", "orders", "--json", "--open"]],
    [["--json", "orders", "--open", "-c", "b.yaml"]],
  ])("takes the global options before and after the command: %s", (argv) => {
    expect(parse(...argv)).toMatchObject({
      kind: "command",
      command: { name: "orders" },
      config: "b.yaml",
      json: true,
      input: { options: { open: true } },
    })
  })

  test.each([
    [["--help"], { kind: "help", command: null }],
    [["swap", "--help"], { kind: "help", command: { name: "swap" } }],
    [["-h", "swap"], { kind: "help", command: { name: "swap" } }],
    [["--version"], { kind: "version" }],
    [["orders", "--version"], { kind: "version" }],
  ])("%s asks for help or the version", (argv, expected) => {
    expect(parse(...argv)).toMatchObject(expected)
  })
})

describe("a usage error names the remedy", () => {
  test.each([
    [
      ["balances", "--seeds", "4"],
      "balances takes no --seeds; it takes --password-stdin, --exact, --config, --sandbox, --json",
    ],
    [
      ["orders", "--limmit", "4"],
      "orders takes no --limmit (did you mean --limit?); it takes --open, --state, --rule, " +
        "--since, --ids, --limit, --idempotency-key, --data-dir, --exact, --config, " +
        "--sandbox, --json",
    ],
    [["orders", "-x"], "orders takes no -x; it takes --open"],
    [
      ["--limit", "4", "orders"],
      "ballast takes no --limit before the command; it takes --config, --sandbox, --json, " +
        "--help or --version",
    ],
    [["limits"], 'there is no command "limits" (did you mean status?); `ballast help` lists them'],
    [["alarms"], 'there is no command "alarms" (did you mean alerts?); `ballast help` lists them'],
    [["swop"], 'there is no command "swop" (did you mean swap?); `ballast help` lists them'],
    [["elephant", "--help"], 'there is no command "elephant"; `ballast help` lists them'],
    [["constructor"], 'there is no command "constructor"'],
    [["orders", "--constructor"], "orders takes no --constructor; "],
    [[], "expected a command\n\nUsage: ballast COMMAND"],
    [["toy"], "expected: ballast toy FROM [SHELL]"],
    [["orders", "5f3a"], 'expected: ballast orders; found one word more: "5f3a"'],
    [
      ["toy", "btc", "tcsh"],
      'expected: ballast toy FROM [SHELL], where SHELL is bash or zsh; found "tcsh"',
    ],
    [["toy", "btc", "--by", "day"], '--by takes rule or pair, not "day"'],
    [["toy", "btc", "--days", "91"], '--days takes a whole number from 1 to 90, not "91"'],
    [["toy", "btc", "--limit", "0"], '--limit takes a whole number above zero, not "0"'],
    [["toy", "btc", "--port", "1e3"], '--port takes a whole number, not "1e3"'],
    [["toy", "btc", "--limit"], "--limit"],
    [["toy", "btc", "--open=yes"], "--open"],
    [["toy", "btc", "--limit", "--open"], "--limit"],
  ])("%s", (argv, message) => {
    const error = expect.objectContaining({
      code: "cli.usage",
      message: expect.stringContaining(message),
    })
    expect(() => parse(...argv)).toThrow(error)
  })
})
