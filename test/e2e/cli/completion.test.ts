import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { COMMANDS } from "#cli/command-list.ts"
import { formatCompletion } from "#cli/completion/format-completion.ts"

const folder = mkdtempSync(join(tmpdir(), "ballast-completion-"))
writeFileSync(join(folder, "ballast.yaml"), "")
const script = join(folder, "ballast.bash")
writeFileSync(script, formatCompletion("bash", COMMANDS))

/** Sources the script in bash, presses Tab after `words`, and returns the proposals. */
function complete(...words: string[]): string[] {
  const program = `
    source "$1"; shift
    ballast() {
      case "$*" in
        "orders --ids --limit 100") echo 5f3a; echo 9c41 ;;
        "orders --ids --limit 100 --config other.yaml") echo c0de ;;
        "rules --ids") echo band; echo weekly ;;
      esac
    }
    [[ "$(complete -p ballast)" == "complete -F _ballast ballast" ]] || exit 3
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ballast
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync(
    "bash",
    ["--norc", "-c", program, "bash", script, "ballast", ...words],
    {
      cwd: folder,
      encoding: "utf8",
    },
  )
  return output.split("\n").filter((line) => line !== "")
}

describe("the completion of bash", () => {
  test.each([
    [["sw"], ["swap"]],
    [
      ["re"],
      [
        "reject",
        "retry",
        "refund",
        "redeem",
        "rescue",
        "replay",
        "resume",
        "reload",
        "report",
        "reconcile",
        "recover",
      ],
    ],
    [
      ["orders", "--"],
      [
        "--open",
        "--state",
        "--rule",
        "--since",
        "--ids",
        "--limit",
        "--idempotency-key",
        "--data-dir",
        "--exact",
        "--config",
        "--sandbox",
        "--json",
        "--help",
        "--version",
      ],
    ],
    [["approve", "5f"], ["5f3a"]],
    [["--config", "other.yaml", "order", ""], ["c0de"]],
    [
      ["why", ""],
      ["band", "weekly"],
    ],
    [["orders", "--rule", "w"], ["weekly"]],
    [["balances", "--seed"], []],
    [
      ["simulate", "--see"],
      ["--seeds", "--seed"],
    ],
    [["--config", "run", "orders", "--o"], ["--open"]],
    [["-"], ["--config", "--sandbox", "--json", "--help", "--version"]],
    [
      ["export", "--format", ""],
      ["csv", "json", "ledger", "koinly", "cointracker"],
    ],
    [["export", "-o", "ballast.y"], ["ballast.yaml"]],
    [["orders", "--limit", ""], []],
    [["--config", "ballast.y"], ["ballast.yaml"]],
    [["check", "ballast.y"], ["ballast.yaml"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["help", "sw"], ["swap"]],
  ])("after %j proposes %j", (words, proposals) => {
    expect(complete(...words)).toEqual(proposals)
  })
})

describe.each(["bash", "zsh", "fish"] as const)("the completion of %s", (shell) => {
  test("has every command and every option", () => {
    const text = formatCompletion(shell, COMMANDS)
    for (const { name, options } of COMMANDS) {
      expect(text).toMatch(new RegExp(`\\b${name}\\b`))
      for (const option of Object.keys(options))
        expect(text).toMatch(new RegExp(`(--|-l )${option}\\b`))
    }
  })
})

test("zsh and fish get their texts in quotes", () => {
  expect(formatCompletion("zsh", COMMANDS)).toContain(
    "'approve:approve an order that waits for approval'",
  )
  expect(formatCompletion("zsh", COMMANDS)).toContain(
    "'rescue:show all data for recovering an order'\\''s funds",
  )
  expect(formatCompletion("fish", COMMANDS)).toContain(
    "-d 'show all data for recovering an order\\'s funds",
  )
})

/** Debian packages; `.ci/run` installs them and turns a skip into a failure. */
const missing = ["zsh", "fish"].filter((shell) => !existsSync(`/usr/bin/${shell}`))
if (missing.length > 0) {
  if (process.env["BALLAST_NEEDS_SHELLS"] !== undefined)
    throw new Error(`install ${missing.join(" and ")}`)
  process.stderr.write(
    `SKIPPED: the completion in the shells ${missing.join(" and ")}, which are not installed\n`,
  )
}

function writeScript(shell: "zsh" | "fish"): string {
  const file = join(folder, `ballast.${shell}`)
  writeFileSync(file, formatCompletion(shell, COMMANDS))
  return file
}

test.skipIf(missing.includes("fish")).each([
  ["ballast sw", ["swap"]],
  ["ballast export --format ", ["csv", "json", "ledger", "koinly", "cointracker"]],
  ["ballast orders --o", ["--open"]],
  ["ballast sandbox br", ["break"]],
])("fish itself proposes after %j", (line, proposals) => {
  const args = [
    "--no-config",
    "-c",
    "source $argv[1]; complete -C $argv[2]",
    writeScript("fish"),
    line,
  ]
  const output = execFileSync("fish", args, {
    encoding: "utf8",
    cwd: folder,
    env: { ...process.env, HOME: folder },
  })
  expect(output.split("\n").map((row) => row.split("\t")[0])).toEqual(
    expect.arrayContaining(proposals),
  )
})

test.skipIf(missing.includes("zsh"))(
  "zsh itself loads the completion and knows its command",
  () => {
    const program =
      'autoload -Uz compinit; compinit -D -u; source "$1"; print -r -- $_comps[ballast]; ' +
      "whence -w $_comps[ballast]"
    const output = execFileSync("zsh", ["-f", "-c", program, "zsh", writeScript("zsh")], {
      encoding: "utf8",
      cwd: folder,
    })
    expect(output).toMatch(/^_ballast\n_ballast: function$/m)
  },
)
