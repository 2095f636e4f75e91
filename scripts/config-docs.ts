import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { FAMILIES } from "#chains/families.ts"
import { FINDING_KINDS, type FindingKind } from "#config/judge/finding-kinds.ts"
import { configFileSchema } from "#config/schema/schema.ts"
import { towerFileSchema } from "#config/tower.ts"
import { DURATION_PATTERN, formatDuration } from "#schema/duration.ts"
import { assetId, httpUrl, secretReference } from "#schema/leaves.ts"
import { BPS_PATTERN, FIAT_PATTERN, OWN_PATTERN, PERCENT_PATTERN } from "#schema/limit-amount.ts"

/**
 * The tables of docs/CONFIG.md: every key with type, default and meaning, from the schema of the
 * configuration file.
 */
export function describeConfig(): string {
  // CAST: zod writes JSON Schema (draft 2020-12); only the parts named in Schema are read.
  const root = z.toJSONSchema(configFileSchema, { io: "input" }) as Schema
  const tables = collectSections("", root).map(({ title, rows }) => `## ${title}\n\n${table(rows)}`)
  // Families share parts, such as a chain's timelock: print an equal table only once.
  return [describePresets(), ...new Set(tables), describeTower(), describeFindings()].join("\n\n")
}

/** Only its top level: its chains have the keys of the daemon's. */
function describeTower(): string {
  // CAST: as above.
  const [top] = collectSections("", z.toJSONSchema(towerFileSchema, { io: "input" }) as Schema)
  return `## A watchtower's file\n\n${table(top?.rows ?? [])}`
}

/** Every error and warning of `check`, with the text of `check --explain`. */
function describeFindings(): string {
  const kinds: readonly FindingKind[] = Object.values(FINDING_KINDS)
  const rows = kinds.map(
    ({ code, sentence, step, explain }) =>
      `| \`${code}\` | ${cell(sentence)} | ${cell(step)} | ${cell(explain)} |`,
  )
  const head = ["| code | what `check` says | next step | explanation |", "|---|---|---|---|"]
  return ["## Errors and warnings of `check`", [...head, ...rows].join("\n")].join("\n\n")
}

/** Every chain that Ballast knows, with the facts that its preset sets. */
function describePresets(): string {
  const rows = FAMILIES.flatMap(({ name: family, presets }) =>
    presets.map(({ name, identity, defaults, nativeCoin, blockTime }) => {
      const keys = Object.entries({ ...identity, ...defaults }).map(
        ([key, value]) => `\`${key}: ${value}\``,
      )
      const pace = `${formatDuration(blockTime.ms)} (${blockTime.asOf}, ${blockTime.source})`
      return (
        `| \`${name}\` | ${family}, ${nativeCoin.symbol} | ${pace} | ` +
        `${keys.join(", ") || "none"} |`
      )
    }),
  )
  const head = [
    "| preset | family, coin | block time (as of, source) | keys that it sets |",
    "|---|---|---|---|",
  ]
  return ["## Presets", [...head, ...rows].join("\n")].join("\n\n")
}

/** The text of docs/CONFIG.md with its tables generated anew from the schema. */
export function refreshConfigDocs(text: string): string {
  const before = text.split(BEGIN)[0]
  const rest = text.split(END)[1]
  if (before === undefined || rest === undefined)
    throw new Error(`docs/CONFIG.md lacks its marks ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n\n${describeConfig()}\n\n${END}${rest}`
}

const BEGIN = "<!-- generated from the schema by scripts/config-docs.ts; do not edit -->"
const END = "<!-- end of the generated tables -->"

type Schema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly description?: string
}
type Row = {
  readonly key: string
  readonly type: string
  readonly fallback: string
  readonly meaning: string
}
type Section = { readonly title: string; readonly rows: readonly Row[] }

/**
 * A map of keys becomes a table, and each map below it another table. `variant` distinguishes
 * tables with the same path.
 */
function collectSections(
  path: string,
  schema: Schema,
  variant: string | null = null,
): readonly Section[] {
  const entries = Object.entries(schema.properties ?? {})
  const rows = entries.map(([key, value]) =>
    rowOf(key, value, schema.required?.includes(key) === true),
  )
  const below = entries.flatMap(([key, value]) =>
    collectBelow(path === "" ? key : `${path}.${key}`, value),
  )
  const title = path === "" ? "Top level" : `\`${path}\`${variant === null ? "" : `, ${variant}`}`
  return [{ title, rows }, ...below]
}

function collectBelow(path: string, schema: Schema): readonly Section[] {
  const value = withoutNull(schema)
  if (value.properties !== undefined) return collectSections(path, value)
  const inner =
    value.items ??
    (typeof value.additionalProperties === "object" ? value.additionalProperties : null)
  if (inner === null) return []
  const variants = inner.oneOf ?? (inner.properties === undefined ? [] : [inner])
  const place = value.items ? `${path}[]` : `${path}.<name>`
  return variants.flatMap((variant) => collectSections(place, variant, discriminator(variant)))
}

/** `family: evm`, `kind: band`: the key that determines the other allowed keys. */
function discriminator({ properties = {} }: Schema): string | null {
  const found = Object.entries(properties).find(([, value]) => value.const !== undefined)
  return found ? `${found[0]}: ${String(found[1].const)}` : null
}

function rowOf(key: string, schema: Schema, required: boolean): Row {
  const meaning = (schema.description ?? "").replace(/ (Required|Default [\s\S]*)\.$/, "")
  return { key, type: typeOf(schema), fallback: required ? "required" : defaultOf(schema), meaning }
}

function defaultOf(schema: Schema): string {
  const value = schema.default
  if (value === null || value === undefined) return "none"
  const plain = JSON.stringify(value)
  if (plain === "{}" && withoutNull(schema).properties !== undefined) return "see below"
  return `\`${typeof value === "string" && value !== "" ? value : plain}\``
}

function typeOf(schema: Schema): string {
  const value = withoutNull(schema)
  if (value.const !== undefined) return `\`${String(value.const)}\``
  if (value.enum !== undefined) return value.enum.map((one) => `\`${String(one)}\``).join(" or ")
  if (value.anyOf !== undefined) return value.anyOf.map(typeOf).join(" or ")
  if (value.type === "integer") return `whole number, ${value.minimum} to ${value.maximum}`
  if (value.type === "boolean") return "`true` or `false`"
  if (value.type === "array")
    return `list${value.items?.type === "string" ? ` of ${typeOf(value.items)}s` : ""}`
  if (value.properties !== undefined) return "keys"
  if (value.type === "object") return "map"
  const pattern = value.pattern ?? value.allOf?.find((one) => one.pattern !== undefined)?.pattern
  return FORMS.find((form) => form.pattern === pattern)?.name ?? "text"
}

function withoutNull(schema: Schema): Schema {
  if (typeof schema.type === "object") {
    const [type, ...more] = schema.type.filter((name) => name !== "null")
    return type === undefined || more.length > 0 ? schema : { ...schema, type }
  }
  const rest = schema.anyOf?.filter(({ type }) => type !== "null")
  const [only] = rest ?? []
  return rest?.length === 1 && only !== undefined ? only : schema
}

/** The name of each pattern, as in the introduction of docs/CONFIG.md. */
const FORMS: readonly { readonly pattern: string | undefined; readonly name: string }[] = [
  { pattern: DURATION_PATTERN.source, name: "duration" },
  { pattern: OWN_PATTERN.source, name: "amount" },
  { pattern: FIAT_PATTERN.source, name: "fiat amount" },
  { pattern: sourceOf(PERCENT_PATTERN, BPS_PATTERN), name: "share" },
  { pattern: sourceOf(PERCENT_PATTERN, BPS_PATTERN, FIAT_PATTERN), name: "share or fiat amount" },
  { pattern: sourceOf(OWN_PATTERN, FIAT_PATTERN), name: "amount or fiat amount" },
  {
    pattern: sourceOf(OWN_PATTERN, FIAT_PATTERN, PERCENT_PATTERN, BPS_PATTERN),
    name: "amount, fiat amount or share",
  },
  { pattern: patternOf(assetId), name: "asset id" },
  { pattern: patternOf(httpUrl), name: "URL" },
  { pattern: patternOf(secretReference), name: "secret reference" },
]

function sourceOf(...patterns: readonly RegExp[]): string {
  return new RegExp(patterns.map(({ source }) => source).join("|")).source
}

function patternOf(schema: z.ZodType): string | undefined {
  // CAST: as in describeConfig.
  const { pattern, allOf } = z.toJSONSchema(schema, { io: "input" }) as Schema
  return pattern ?? allOf?.[0]?.pattern
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ key, type, fallback, meaning }) =>
      `| \`${key}\` | ${cell(type)} | ${cell(fallback)} | ${cell(meaning)} |`,
  )
  return ["| key | type | default | meaning |", "|---|---|---|---|", ...lines].join("\n")
}

/** In Markdown a bare < would begin a tag, and a bar ends a cell. */
function cell(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll("|", "\\|")
}

if (import.meta.main) {
  const file = join(import.meta.dirname, "..", "docs", "CONFIG.md")
  writeFileSync(file, refreshConfigDocs(readFileSync(file, "utf8")))
}
