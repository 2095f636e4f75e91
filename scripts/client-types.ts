type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const WIDTH = 100
/** No operation answers with it: the client's stream has it. */
const STREAMED = "DaemonEvent"
const HEAD = `/*
 * Made of docs/openapi.json. scripts/generate.ts writes this file.
 */
`

/**
 * The files of `src/app/client` that are made of the interface's document, by name: the operations
 * in `api.ts`, and the types of their answers in `answers.ts`.
 */
export function formatClientTypes(document: string): Readonly<Record<string, string>> {
  const { paths, components }: ApiDocument = JSON.parse(document)
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, path, method })),
    )
    // The event stream has a function of its own, and the desk of agents speaks its own protocol.
    .filter(({ path }) => path !== "/mcp" && path !== "/api/v1/events")
  const table = operations.map(
    ({ operationId, method, path, parameters = [] }) =>
      `  ${operationId}: ["${method.toUpperCase()}", "${path}", ${parameters.some(isKey)}],\n`,
  )
  const calls = operations.map((one) => {
    const args = argumentsOf(one)
    const shown = args === "" ? "args?: Record<string, never>" : args
    const head = `  readonly ${one.operationId}: (${shown}, options?: CallOptions)`
    return (
      `  /**\n${wrap(`   * ${one.summary}. ${one.description}`, "   * ")}\n   */\n` +
      `${wrap(`${head} => Promise<${answerOf(one)}>`)}\n`
    )
  })
  const schemas = Object.entries(components.schemas).filter(([name]) => name !== "Problem")
  const text = calls.join("")
  const used = schemas
    .map(([name]) => name)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const types = schemas.map(([name, schema]) => {
    const isShared = name === STREAMED || used.includes(name)
    return `${wrap(`${isShared ? "export " : ""}type ${name} = ${typeOf(schema)}`)}\n`
  })
  const operationsFile = [
    HEAD,
    `import type {\n${used.map((name) => `  ${name},\n`).join("")}} from "./answers.ts"\n\n`,
    "/** Method and path of each operation, and whether it takes an idempotency key. */\n",
    `export const OPERATIONS = {\n${table.join("")}} as const\n\n`,
    "/** `key`: the idempotency key of an earlier call whose answer was lost. */\n",
    "export type CallOptions = { readonly key?: string; readonly signal?: AbortSignal }\n\n",
    `export type Calls = {\n${text}}\n`,
  ].join("")
  return { "api.ts": operationsFile, "answers.ts": `${HEAD}\n${types.join("\n")}` }
}

function isKey({ name }: Parameter): boolean {
  return name === "Idempotency-Key"
}

/** Path, query and body in one object: no operation has a name twice. */
function argumentsOf({ operationId, parameters = [], requestBody }: Operation): string {
  const named = parameters.filter((one) => one.in !== "header")
  const body = requestBody?.content?.["application/json"]?.schema
  const twice = named.find(({ name }) => body?.properties?.[name] !== undefined)
  if (twice !== undefined) throw new Error(`${operationId} has the name ${twice.name} twice`)
  const fields = named.map(({ name, required, schema }) => field(name, required, schema))
  const parts = [
    ...(fields.length === 0 ? [] : [`{ ${fields.join("; ")} }`]),
    ...(body === undefined ? [] : [typeOf(body)]),
  ]
  const needed = named.some(({ required }) => required) || (body?.required ?? []).length > 0
  const joined = parts.map((part) =>
    parts.length > 1 && part.includes(" | ") ? `(${part})` : part,
  )
  return parts.length === 0 ? "" : `args${needed ? "" : "?"}: ${joined.join(" & ")}`
}

function answerOf({ responses }: Operation): string {
  const answers = Object.values(responses).flatMap(({ content = {} }) =>
    Object.values(content).map(({ schema }) => typeOf(schema)),
  )
  return [...new Set(answers)].join(" | ")
}

function field(name: string, required: boolean, schema: Schema): string {
  const shown = /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
  return `${shown}${required ? "" : "?"}: ${typeOf(schema)}${required ? "" : " | undefined"}`
}

function typeOf(schema: Schema): string {
  const { $ref, type, anyOf } = schema
  if ($ref !== undefined) return $ref.split("/").at(-1) ?? ""
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ")
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(" | ")
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(" | ")
  if (type === "array") return `readonly (${typeOf(schema.items ?? {})})[]`
  if (type === "object") return objectOf(schema)
  if (type === "integer") return "number"
  return typeof type === "string" ? type : "unknown"
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, one]) =>
    field(name, required.includes(name), one),
  )
  const isMap = typeof additionalProperties === "object"
  const more = isMap ? typeOf(additionalProperties) : "unknown"
  if (fields.length === 0 && additionalProperties === false) return "Record<string, never>"
  if (fields.length === 0) return `Readonly<Record<string, ${more}>>`
  // Unknown further fields would hide a misspelt one, so only maps name them.
  return `{ ${fields.join("; ")} }`
}

/** Breaks a line between its words. */
function wrap(line: string, indent = "    "): string {
  const lines: string[] = []
  let rest = line
  while (rest.length > WIDTH) {
    const at = rest.lastIndexOf(" ", WIDTH)
    lines.push(rest.slice(0, at))
    rest = `${indent}${rest.slice(at + 1)}`
  }
  return [...lines, rest].join("\n")
}
