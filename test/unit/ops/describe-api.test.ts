import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Validator } from "@seriousme/openapi-schema-validator"
import { expect, test } from "vitest"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { listRoutes } from "#ops/api/describe-api.ts"
import { ROUTES } from "#ops/api/routes.ts"
import { ALL_SCOPES } from "#ops/caller.ts"
import { createApp } from "#ops/create-app.ts"
import type { Operations } from "#ops/operations.ts"
import { anyBody } from "#schema/requests.ts"
import { formatOpenApi } from "../../../scripts/api-docs.ts"
import { type ApiDocument, createAnswerCheck } from "../../support/check-api-answer.ts"

const TOKEN = "a-token-of-24-characters"
const clock: Clock = { now: () => 0, sleep: async () => undefined }
// CAST: these requests reach only the operations that are here.
const operations = {
  recordCall: () => undefined,
  durable: async () => undefined,
  untilOnDisk: async () => undefined,
  order: () => null,
  submit: async () => ({
    ok: false,
    reasons: [
      { code: "paused", message: "no" },
      { code: "limit.order", message: "too much" },
    ],
  }),
} as unknown as Operations
const tokens = [{ name: "ops.token", token: new Secret(TOKEN, "test"), scopes: ALL_SCOPES }]
const app = createApp(operations, {
  tokens: () => tokens,
  hosts: () => [],
  version: "1.2.3",
  log: silentLogger,
  clock,
})

async function ask(path: string, init: RequestInit = {}, token = TOKEN) {
  const headers = {
    host: "127.0.0.1:7070",
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  }
  const answer = await app.request(path, { headers, ...init })
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    body: await answer.json(),
  }
}

test("every route is described, and every description has its route", () => {
  expect([...listRoutes(app)].sort()).toEqual(Object.keys(ROUTES).sort())
})

test("the document is valid OpenAPI, for a validator that is not ours", async () => {
  const { status, body } = await ask("/api/v1/openapi.json")
  expect(status).toBe(200)
  const validator = new Validator()
  // CAST: the document is an object.
  expect(await validator.validate(body as Parameters<typeof validator.validate>[0])).toEqual({
    valid: true,
  })
  expect(validator.version).toBe("3.1")
  expect(body).toMatchObject({
    info: { version: "1.2.3" },
    paths: {
      "/api/v1/orders/{id}/approve": {
        post: {
          parameters: [
            { name: "id", in: "path", required: true },
            { name: "Idempotency-Key", in: "header", required: false },
          ],
          responses: { 409: { $ref: "#/components/responses/Refusal409" } },
        },
      },
      "/healthz": { get: { security: [] } },
    },
  })
})

test("a generated client has a name, a tag and a server for each route", async () => {
  const { body } = await ask("/api/v1/openapi.json")
  // CAST: the document.
  const { paths, servers, tags } = body as {
    paths: Record<string, Record<string, { operationId: string; tags: string[] }>>
    servers: { url: string }[]
    tags: { name: string }[]
  }
  const routes = Object.values(paths).flatMap((path) => Object.values(path))
  const names = routes.map(({ operationId }) => operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain("postOrdersByIdApprove")
  expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([])
  const known = tags.map(({ name }) => name)
  expect(new Set(routes.flatMap((route) => route.tags))).toEqual(new Set(known))
  expect(servers).toHaveLength(1)
})

test("each body and each needed parameter has an example, which its own schema accepts", async () => {
  const wrong = Object.entries(ROUTES).flatMap(([name, { body, query }]) => {
    const examples = body?.meta()?.["examples"]
    const given = Array.isArray(examples) ? examples : []
    const isMissing = body !== undefined && body !== anyBody && given.length === 0
    const fields = Object.entries(query?.shape ?? {}).filter(
      ([, field]) =>
        !field.safeParse(undefined).success && field.meta()?.["examples"] === undefined,
    )
    return [
      ...(isMissing ? [`${name}: no example`] : []),
      ...given.filter((one) => body?.safeParse(one).success !== true).map((one) => [name, one]),
      ...fields.filter(([field]) => NEEDED.includes(field)).map(([field]) => `${name}: ${field}`),
    ]
  })
  expect(wrong).toEqual([])
})
const NEEDED = ["from", "to", "amount"]

test("the document has what common linters ask for", async () => {
  const { body } = await ask("/api/v1/openapi.json")
  // CAST: the document.
  const { info, paths } = body as {
    info: Record<string, unknown>
    paths: Record<string, Record<string, Record<string, unknown>>>
  }
  expect(info).toMatchObject({ contact: { name: "Ballast" }, license: { name: "MIT" } })
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    expect(operation).toMatchObject({
      summary: expect.stringMatching(/\w/),
      description: expect.stringMatching(/^Needs .*\.$/),
    })
})

/** What a client can do wrong at any route. */
const FLAWED: readonly (readonly [name: string, headers: Record<string, string>, body: string])[] =
  [
    ["nothing wrong", {}, "{}"],
    ["no token", { authorization: "" }, "{}"],
    ["a wrong token", { authorization: "Bearer another-token-of-24-ch" }, "{}"],
    ["another site", { origin: "http://evil.example", "sec-fetch-site": "cross-site" }, "{}"],
    ["an unknown host", { host: "evil.example" }, "{}"],
    ["no JSON", { "content-type": "text/plain" }, "{}"],
    ["damaged JSON", {}, "{"],
    ["another shape", {}, "[1]"],
    ["a body of a megabyte", {}, JSON.stringify({ text: "x".repeat(1_000_000) })],
  ]

test("every refusal of every route is as the document says", async () => {
  const { body } = await ask("/api/v1/openapi.json")
  // A new app for each route: it refuses everything from an address with too many wrong tokens.
  const open = () =>
    createApp(
      // CAST: the routes reach only these operations; any other one fails, as an unexpected error
      // does.
      { ...operations, isReady: () => false, subscribe: () => () => undefined } as Operations,
      { tokens: () => tokens, hosts: () => [], version: "1.2.3", log: silentLogger, clock },
    )
  // CAST: as above.
  const check = createAnswerCheck(body as ApiDocument)
  const wrong: string[] = []
  const seen = new Set<number>()
  for (const route of listRoutes(app)) {
    const [method = "", path = ""] = route.split(" ")
    const shown = path.replace(/:(\w+)/g, "{$1}")
    const opened = open()
    for (const [flaw, headers, sent] of FLAWED) {
      const answer = await opened.request(path.replace(/:\w+/g, "x"), {
        method,
        headers: {
          host: "127.0.0.1:7070",
          authorization: `Bearer ${TOKEN}`,
          "content-type": "application/json",
          ...headers,
        },
        ...(method === "POST" ? { body: sent } : {}),
      })
      seen.add(answer.status)
      const media = answer.headers.get("content-type") ?? ""
      const text = media.startsWith("text/event-stream") ? "" : await answer.text()
      await answer.body?.cancel().catch(() => undefined)
      const found = check({ method, route: shown, status: answer.status, media, body: text })
      wrong.push(...found.map((fault) => `with ${flaw}, ${fault}`))
    }
  }
  expect(wrong).toEqual([])
  // The flaws reach each of these.
  for (const status of [200, 400, 401, 403, 413, 415, 503]) expect([...seen]).toContain(status)
}, 60_000)

test("the document needs a token", async () => {
  expect(await ask("/api/v1/openapi.json", {}, "another-token-of-24-ch")).toMatchObject({
    status: 401,
  })
})

test.each([
  ["/api/v1/nothing", {}, 404, "urn:ballast:request.path", "Not Found", ["request.path"]],
  ["/api/v1/orders/x", {}, 404, "urn:ballast:order.not_found", "Not Found", ["order.not_found"]],
  [
    "/api/v1/swap",
    { method: "POST", body: "{}" },
    400,
    "urn:ballast:request.malformed",
    "Bad Request",
    ["request.malformed"],
  ],
  [
    "/api/v1/swap",
    { method: "POST", body: JSON.stringify({ from: "a", to: "b", amount: "1" }) },
    ...([409, "urn:ballast:paused", "Conflict", ["paused", "limit.order"]] as const),
  ],
])(
  "a refusal at %s %o is problem details with all its reasons",
  async (path, init, status, type, title, codes) => {
    const answer = await ask(path, init)
    expect(answer).toMatchObject({
      status,
      type: "application/problem+json; charset=utf-8",
      body: { type, title, status },
    })
    const { detail, reasons } = answer.body as {
      detail: string
      reasons: { code: string; message: string }[]
    } // CAST: problem details.
    expect(reasons.map(({ code }) => code)).toEqual(codes)
    expect(detail).toBe(reasons[0]?.message)
  },
)

/**
 * Objects with keys that the document cannot name: numbers of a reason, keys of a rule's kind,
 * decoded calls, texts by name.
 */
const OPEN = [
  /^Reason$/,
  /^Rules\.rules$/,
  // Each tool of an agent has its own answer.
  /^AgentAnswer\.body$/,
  /^Replay\.(stored|again)(\.proposals)?$/,
  /^DryRun\.(deposit|worstCase\.refund)$/,
  /^Order(WithEvents)?\.(intentFields|seen)$/,
  /^(Books|Summary)\.\w+\.counts$/,
  /^ReportLine\.(counts|sent|received)$/,
  // Those of the line.
  /^Log\.lines\.fields$/,
  // By order.
  /^Why\.quotes$/,
  /^Advice\.calculation\.scenario$/,
  // The figures of `ballast simulate --json`.
  /^Simulation\.(scenario|subjects\.summary(\.rules)?|comparison)$/,
]

test("an answer has only fields that the document names", async () => {
  const { body } = await ask("/api/v1/openapi.json")
  // CAST: the document.
  const { schemas } = (body as ApiDocument).components
  const open = Object.entries(schemas).flatMap(([name, schema]) => listOpen(schema, name))
  // Each exception is in use.
  expect(OPEN.filter((known) => !open.some((place) => known.test(place)))).toEqual([])
  expect(open.filter((place) => !OPEN.some((known) => known.test(place)))).toEqual([])
})

function listOpen(schema: unknown, place: string): readonly string[] {
  if (typeof schema !== "object" || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap((one) => listOpen(one, place))
  // CAST: a schema.
  const {
    type,
    additionalProperties,
    properties = {},
    items,
    anyOf,
    allOf,
  } = schema as Record<string, unknown>
  return [
    ...(type === "object" && additionalProperties !== false ? [place] : []),
    ...Object.entries(properties as object).flatMap(([name, one]) =>
      listOpen(one, `${place}.${name}`),
    ),
    ...[items, anyOf, allOf].flatMap((one) => listOpen(one, place)),
  ]
}

test("docs/openapi.json is the document; scripts/generate.ts writes it", () => {
  expect(readFileSync(join(import.meta.dirname, "../../../docs/openapi.json"), "utf8")).toBe(
    formatOpenApi(),
  )
})

test("an answer with another field, status or form is found", async () => {
  const { body } = await ask("/api/v1/openapi.json")
  // CAST: the document.
  const check = createAnswerCheck(body as ApiDocument)
  const good = {
    method: "GET",
    route: "/healthz",
    status: 200,
    media: "application/json",
    body: '{"status":"ok"}',
  }
  expect(check(good)).toEqual([])
  for (const flaw of [
    { body: '{"status":"ok","more":1}' },
    { body: "{}" },
    { status: 201 },
    { media: "text/html" },
  ])
    expect(check({ ...good, ...flaw })).toHaveLength(1)
})
