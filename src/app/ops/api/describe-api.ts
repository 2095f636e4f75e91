import { STATUS_CODES } from "node:http"
import { z } from "zod"
import { ANSWERS } from "#schema/answers/answers.ts"
import type { App } from "../answers.ts"
import { ROUTES, type RouteText } from "./routes.ts"

/**
 * The OpenAPI 3.1 document of the routes that the app really has. A route without texts has no
 * summary and no answer, and a test fails.
 */
export function describeApi(app: App, version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const key of listRoutes(app)) {
    const [method = "", path = ""] = key.split(" ")
    const shown = path.replace(/:(\w+)/g, "{$1}")
    paths[shown] = {
      ...paths[shown],
      [method.toLowerCase()]: describeRoute(method, path, ROUTES[key]),
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Ballast",
      version,
      description: "docs/HTTP.md describes each answer in words.",
      contact: { name: "Ballast" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:7070", description: "ops.listen of this machine" }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: describeAnswers(),
      responses: describeRefusals(),
    },
  }
}

/**
 * Method and path of each route, without the checks that stand before all of them and the files of
 * the page.
 */
export function listRoutes(app: App): readonly string[] {
  const routes = app.routes.filter(
    ({ method, path }) => method !== "ALL" && !/\.(js|css|svg)$/.test(path),
  )
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))]
}

type Schema = Readonly<Record<string, unknown>>

const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  id: "0199f2c1-order",
  key: "nightly-1",
  asset: "base_sepolia:wbtc",
}

const TEXT: Schema = { type: "string" }

function describeAnswers(): Record<string, Schema> {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(ANSWERS)) named.add(schema, { id })
  const { schemas } = z.toJSONSchema(named, { uri: refOf, override: shorten })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: _id, ...schema }]) => [id, schema]),
  )
}

function refOf(name: string): string {
  return `#/components/schemas/${name}`
}

/**
 * The format says the same as the pattern of a time, and every number of JSON has the limits of an
 * integer.
 */
function shorten({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** A request may have fields that Ballast does not know, unless its schema is strict. */
function describeRequest(schema: z.ZodType): Schema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input" })
  return described
}

function describeRoute(method: string, path: string, text: RouteText | undefined): Schema {
  const { summary = "", scope = null, query, headers, body, ok = {}, media } = text ?? {}
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { ...TEXT, examples: [PATH_EXAMPLES[name ?? ""]] },
  }))
  const parameters = [
    ...inPath,
    ...(query === undefined ? [] : describeParameters(query, "query")),
    ...(headers === undefined ? [] : describeParameters(headers, "header")),
  ]
  const traits = { hasToken: scope !== null, hasId: inPath.length > 0, isWrite: method === "POST" }
  return {
    operationId: nameOperation(method, path),
    tags: [tagOf(path)],
    summary,
    description: scope === null ? "Needs no token." : `Needs a token with the scope \`${scope}\`.`,
    security: scope === null ? [] : [{ token: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { content: { "application/json": { schema: describeRequest(body) } } } }),
    responses: {
      ...refusalsOf({ ...traits, hasKey: method === "POST" && headers !== undefined }),
      ...(media === undefined || 200 in ok ? {} : { 200: describeContent(200, media, TEXT) }),
      ...Object.fromEntries(
        Object.entries(ok).map(([status, name]) => [
          status,
          describeContent(
            Number(status),
            media ?? "application/json",
            name === "any object" ? { type: "object" } : { $ref: refOf(name) },
          ),
        ]),
      ),
    },
  }
}

/** `GET /api/v1/orders/:id` is `getOrdersById`. */
function nameOperation(method: string, path: string): string {
  const words = path.replace(/^\/api\/v1/, "").split(/[/.-]/)
  const names = words
    .filter((word) => word !== "")
    .map((word) => {
      const name = word.replace(/^:/, "")
      return `${word === name ? "" : "By"}${name.charAt(0).toUpperCase()}${name.slice(1)}`
    })
  return `${method.toLowerCase()}${names.join("") || "Dashboard"}`
}

const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: "orders", description: "Swaps, and what became of them" },
  { name: "rules", description: "What the rules decide, and why" },
  { name: "books", description: "Balances, ledger and reports" },
  { name: "daemon", description: "State, alarms and control of the daemon" },
]

const TAG_OF: Readonly<Record<string, string>> = {
  orders: "orders",
  swap: "orders",
  quote: "orders",
  recover: "orders",
  rules: "rules",
  decisions: "rules",
  plan: "rules",
  balances: "books",
  bookings: "books",
  books: "books",
  reconcile: "books",
  reconciliation: "books",
  report: "books",
  export: "books",
  simulate: "rules",
  advise: "rules",
  proposals: "rules",
  flows: "books",
  series: "books",
  summary: "books",
}

function tagOf(path: string): string {
  return TAG_OF[path.split("/")[3] ?? ""] ?? "daemon"
}

function describeParameters(query: z.ZodObject, place: "query" | "header"): readonly Schema[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input" })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }))
}

function describeContent(status: number, media: string, schema: Schema): Schema {
  return { description: STATUS_CODES[status] ?? "", content: { [media]: { schema } } }
}

type Refusable = {
  readonly hasToken: boolean
  readonly hasId: boolean
  readonly isWrite: boolean
  readonly hasKey: boolean
}

function refusalsOf({ hasToken, hasId, isWrite, hasKey }: Refusable): Record<string, Schema> {
  const statuses = [
    400,
    ...(hasToken ? [401] : []),
    403,
    ...(hasId ? [404] : []),
    409,
    ...(isWrite ? [413, 415] : []),
    ...(hasKey ? [422] : []),
    429,
    500,
    503,
  ]
  return Object.fromEntries(
    statuses.map((one) => [one, { $ref: `#/components/responses/Refusal${one}` }]),
  )
}

/** The refusal of each status, once for all routes. */
function describeRefusals(): Record<string, Schema> {
  const statuses = Object.keys(
    refusalsOf({ hasToken: true, hasId: true, isWrite: true, hasKey: true }),
  )
  const schema = { $ref: refOf("Problem") }
  return Object.fromEntries(
    statuses.map((one) => [
      `Refusal${one}`,
      describeContent(Number(one), "application/problem+json", schema),
    ]),
  )
}
