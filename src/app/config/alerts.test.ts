import { describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { printable } from "#lib/printable.ts"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "./load.ts"

const VALUES: Record<string, string> = {
  "env:SLACK": "https://hooks.slack.example/services/T0/B0/AbCdEf0123456789abcdef01",
  "env:BOT": "123456:AAExampleTokenOfABotThatIsNotReal",
  "env:SMTP": "correct horse 9",
}
const secrets = (reference: string): Secret =>
  new Secret(VALUES[reference] ?? "a-play-secret-of-24-signs", reference)

function parse(alerts: object) {
  const text = JSON.stringify({ service: { url: "https://swap.example" }, alerts })
  return parseConfig(text, { file: "x.yaml", secrets }).alerts
}

function problemsOf(alerts: object): string {
  try {
    parse(alerts)
    return ""
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const slack = { kind: "slack", url: "env:SLACK" }
const mail = {
  kind: "email",
  host: "smtp.example.com",
  from: "a@example.com",
  to: ["b@example.com"],
}

test.each([
  ["no base64: !!", /receivers\.desk\.key: expected a key in base64/],
  ["whsec_c2VjcmV0IG9mIHRoZSBkZXNr", null],
  ["c2Vj-cmV0_w==", null],
])("the key %s of a webhook's signature", (key, expected) => {
  const desk = { kind: "webhook", url: "https://a.example", key: "env:KEY" }
  const text = JSON.stringify({
    service: { url: "https://swap.example" },
    alerts: { receivers: { desk } },
  })
  const find = () =>
    parseConfig(text, { file: "x.yaml", secrets: (reference) => new Secret(key, reference) })
  if (expected === null) expect(find).not.toThrow()
  else expect(find).toThrow(expected)
})

describe("the collector of traces", () => {
  function parseOtlp(otlp: string) {
    const text = JSON.stringify({ service: { url: "https://swap.example" }, telemetry: { otlp } })
    return parseConfig(text, { file: "x.yaml", secrets }).telemetry.otlp
  }

  test("is a URL or a reference to one, and off without it", () => {
    expect(
      parseConfig('{ service: { url: "https://swap.example" } }', { file: "x.yaml", secrets })
        .telemetry.otlp,
    ).toBeNull()
    expect(parseOtlp("http://127.0.0.1:4318")?.reveal()).toBe("http://127.0.0.1:4318")
    expect(parseOtlp("env:SLACK")?.reveal()).toBe(VALUES["env:SLACK"])
  })

  test.each(["collector:4318", "ftp://x", "http://x:99999", "http://x/?key=1", "env:BOT"])(
    "%s is refused with a code",
    (otlp) => {
      expect(() => parseOtlp(otlp)).toThrow(expect.objectContaining({ code: "config.invalid" }))
      expect(() => parseOtlp(otlp)).toThrow(/telemetry\.otlp/)
    },
  )

  test("no output shows its password", () => {
    parseOtlp("https://desk:planted-password@otlp.example")
    expect(printable("https://desk:planted-password@otlp.example")).not.toContain("planted")
  })
})

describe("the receivers of alerts", () => {
  test("have defaults, and a file without them sends nothing", () => {
    expect(parse({})).toMatchObject({
      receivers: [],
      groupMs: 10_000,
      repeatMs: 21_600_000,
      heartbeat: null,
    })
    expect(parse({ receivers: { desk: slack, mail } }).receivers).toMatchObject([
      { name: "desk", least: "attention", tellsEnd: true },
      { name: "mail", host: "smtp.example.com", port: 465, tls: "tls", user: null, password: null },
    ])
  })

  test("show no secret once they are read", () => {
    const phone = { kind: "telegram", token: "env:BOT", chat: "-1001" }
    const read = parse({
      receivers: { desk: slack, phone, mail: { ...mail, user: "me", password: "env:SMTP" } },
    })
    expect(JSON.stringify(read)).not.toMatch(/AbCdEf|AAExample|correct horse/)
    // A short password is hidden in the answers of its own receiver.
    const { "env:SMTP": _password, ...keys } = VALUES
    for (const value of Object.values(keys))
      expect(printable(`it says ${value}!`)).not.toContain(value)
  })

  test("are refused where a secret would stand in the file, or go over a network in the clear", () => {
    expect(problemsOf({ receivers: { desk: { ...slack, url: VALUES["env:SLACK"] } } })).toMatch(
      /expected a reference to a secret/,
    )
    expect(
      problemsOf({ receivers: { desk: { ...slack, url: VALUES["env:SLACK"] } } }),
    ).not.toContain("AbCdEf")
    expect(problemsOf({ receivers: { mail: { ...mail, tls: "none" } } })).toMatch(
      /expected tls or starttls for a server on another machine/,
    )
    expect(problemsOf({ receivers: { mail: { ...mail, host: "127.0.0.1", tls: "none" } } })).toBe(
      "",
    )
    expect(problemsOf({ receivers: { mail: { ...mail, user: "me" } } })).toMatch(
      /expected user and password together/,
    )
    expect(
      problemsOf({ receivers: { mail: { ...mail, to: ["b@example.com\r\nBcc: c@example.com"] } } }),
    ).toMatch(/expected a mail address/)
  })

  test("of escalations must exist", () => {
    const receivers = { desk: slack }
    expect(problemsOf({ receivers, escalate_after: "30m", escalate_to: ["desc"] })).toMatch(
      /there is no receiver desc; did you mean desk\?/,
    )
    expect(problemsOf({ receivers, escalate_after: "30m" })).toMatch(
      /expected escalate_to with at least one receiver/,
    )
    expect(problemsOf({ receivers, escalate_after: "30m", escalate_to: ["desk"] })).toBe("")
  })

  test("have their daily message at a time of day of a zone that exists", () => {
    expect(parse({}).daily).toEqual({ at: "07:00", timezone: "UTC" })
    expect(problemsOf({ daily: { at: "24:00" } })).toMatch(/alerts\.daily\.at/)
    expect(problemsOf({ daily: { timezone: "Europe/Zürich" } })).toMatch(/did you mean/)
  })

  test("of an unknown kind name the known ones", () => {
    expect(problemsOf({ receivers: { desk: { kind: "pigeon" } } })).toMatch(
      /expected webhook, slack, discord, ntfy, matrix, telegram or email/,
    )
  })
})
