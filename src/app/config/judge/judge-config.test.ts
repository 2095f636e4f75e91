import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "../load.ts"
import { readYamlSource } from "../yaml-source.ts"
import { judgeConfig } from "./judge-config.ts"

const FOLDER = join(import.meta.dirname, "..", "..", "..", "..", "config")

function judge(name: string, journal = "null") {
  const text =
    `${readFileSync(join(FOLDER, name), "utf8").replace(/^journal: .*$/m, "")}\njournal: ` +
    `${journal}\n`
  const secrets = (reference: string): Secret => new Secret("", reference)
  return judgeConfig(parseConfig(text, { file: name, secrets }), readYamlSource(text, name).value)
}

test("the example is live on a main network, and nothing in it refuses a start or lets orders fail", () => {
  const findings = judge("example.yaml")
  expect(findings.filter(({ severity }) => severity !== "warn")).toEqual([])
  // Its finding about the one endpoint of Base shows that it is judged as real money.
  expect(findings.map(({ code }) => code)).toContain("config.one_endpoint")
})

test("a main network needs a limit for secrets of the service, and one that limits something", () => {
  const codes = (line: string): string[] => {
    const text = readFileSync(join(FOLDER, "example.yaml"), "utf8").replace(
      /^ {2}max_service_secret: .*$/m,
      line,
    )
    const secrets = (reference: string): Secret => new Secret("", reference)
    const parsed = parseConfig(text, { file: "example.yaml", secrets })
    return judgeConfig(parsed, readYamlSource(text, "example.yaml").value).map(({ code }) => code)
  }
  expect(codes('  max_service_secret: "250 usd"')).not.toContain("config.no_service_secret_limit")
  expect(codes("")).toContain("config.no_service_secret_limit")
  expect(codes('  max_service_secret: "2000000 usd"')).toContain("config.absurd_limit")
})

test("a route whose contracts are not pinned on a chain is named with those chains", () => {
  const text = readFileSync(join(FOLDER, "example.yaml"), "utf8")
  const secrets = (reference: string): Secret => new Secret("", reference)
  const parsed = parseConfig(text, { file: "example.yaml", secrets })
  const chains = parsed.assets.slice(0, 2).map(({ id }) => id)
  const route = { kind: "cctp", assets: chains, maxInFlightFiat: 1n, contracts: {} }
  const found = (pinned: NonNullable<(typeof parsed.routes)[number]["pinned"]>): string[] =>
    judgeConfig({ ...parsed, routes: [{ ...route, pinned }] }, {}).flatMap(
      ({ code, subjects, message }) =>
        code === "config.not_pinned" && subjects.includes("cctp") ? [message] : [],
    )
  const [first = "", second = ""] = parsed.assets.map(({ chain }) => chain)
  expect(found({})).toMatchObject([expect.stringContaining(`on ${first}, ${second} are`)])
  const pin = { htlc: "0x1", identity: { code: "0x2" } }
  expect(found({ [first]: [pin] })).toMatchObject([expect.stringContaining(`on ${second} are`)])
  expect(found({ [first]: [pin], [second]: [pin] })).toEqual([])
})

test("the sandbox needs neither limits nor prices, because it has no main network", () => {
  expect(judge("sandbox.yaml").filter(({ severity }) => severity !== "warn")).toEqual([])
})

test(
  "a journal in PostgreSQL is accepted with a main network, over a connection that proves the " +
    "server",
  () => {
    const found = (name: string, url: string): readonly string[] =>
      judge(name, url).flatMap(({ code, severity }) =>
        code === "config.plain_journal" ? [severity] : [],
      )
    const far = "postgres://ballast:secret@db.example.com/ballast"
    expect(found("example.yaml", far)).toEqual(["fail"])
    expect(found("sandbox.yaml", far)).toEqual(["warn"])
    expect(JSON.stringify(judge("example.yaml", far))).not.toContain("secret@")
    expect(found("example.yaml", `${far}?sslmode=require`)).toEqual(["fail"])
    expect(found("example.yaml", `${far}?sslmode=verify-full`)).toEqual([])
    expect(found("example.yaml", "postgres://10.0.0.7/ballast")).toEqual(["warn"])
    expect(found("example.yaml", "postgres://127.0.0.1/ballast")).toEqual([])
    expect(found("example.yaml", "postgres:///ballast?host=/run/postgresql")).toEqual([])
    expect(judge("example.yaml", far).filter(({ severity }) => severity === "refuse")).toEqual([])
  },
)
