import { parseUnits } from "#domain/amount.ts"
import { describeFound } from "#schema/describe-found.ts"
import { OWN_PATTERN, parseLimitAmount } from "#schema/limit-amount.ts"
import type { Path } from "#schema/problem.ts"
import { itemsAt, readPath, textAt } from "#schema/read-path.ts"
import { checkAssetKnown, checkDigits, type ReferenceWorld } from "#schema/reference-world.ts"

/**
 * Reports an unknown asset, amounts finer than the asset, bounds out of order, and partners that
 * cannot help.
 */
export function checkBand(world: ReferenceWorld, path: Path): void {
  const asset = checkAssetKnown(world, [...path, "asset"])
  const decimals = asset === null ? null : (world.decimals.get(asset) ?? null)
  for (const key of ["min", "target", "max", "least"]) checkDigits(world, [...path, key], decimals)
  const rule = readPath(world.root, path)
  checkBounds(world, path, rule)
  checkPartners(world, path, rule)
  checkCosts(world, path, rule)
}

/**
 * A limit for an empty balance needs a limit of the same kind for a balance at min, and the two are
 * in order.
 */
function checkCosts(world: ReferenceWorld, path: Path, rule: unknown): void {
  const text = textAt(rule, ["max_cost"])
  const emptyText = textAt(rule, ["max_cost_when_empty"])
  const [limit, empty] = [text, emptyText].map((one) =>
    one === null ? null : parseLimitAmount(one),
  )
  if (emptyText === null || !empty || empty.kind === "own") return
  if (!limit || limit.kind !== empty.kind) {
    const found = describeFound(text)
    const expected = `expected max_cost in the same kind of amount beside it, found ${found}`
    world.report([...path, "max_cost_when_empty"], expected)
    return
  }
  if (sizeOf(empty) >= sizeOf(limit)) return
  world.report(
    [...path, "max_cost_when_empty"],
    `expected at least max_cost (${text}), found ${describeFound(emptyText)}`,
  )
}

function sizeOf(amount: NonNullable<ReturnType<typeof parseLimitAmount>>): bigint {
  return amount.kind === "share" ? amount.bps : amount.kind === "fiat" ? amount.fiat : 0n
}

function checkBounds(world: ReferenceWorld, path: Path, rule: unknown): void {
  const bounds = ["min", "target", "max"].map((key) => ({ key, text: textAt(rule, [key]) }))
  bounds.forEach(({ key, text }, index) => {
    const lower = bounds[index - 1]
    if (text === null || !lower || lower.text === null || scaled(lower.text) <= scaled(text)) return
    world.report(
      [...path, key],
      `expected at least ${lower.key} (${lower.text}), found ${describeFound(text)}`,
    )
  })
}

/**
 * Makes amounts comparable without the asset's decimals. A text that is no decimal counts as zero;
 * the form check reports it.
 */
function scaled(text: string): bigint {
  return OWN_PATTERN.test(text) ? parseUnits(text, 60) : 0n
}

function checkPartners(world: ReferenceWorld, path: Path, rule: unknown): void {
  const partners = ["sources", "sinks"].flatMap((key) =>
    itemsAt(rule, [key]).map((_, index) => [...path, key, index]),
  )
  for (const at of partners) {
    const id = checkAssetKnown(world, at)
    if (id !== null && id === readPath(rule, ["asset"])) {
      world.report(at, `expected another asset than the rule's own, found ${id}`)
    }
  }
  if (partners.length === 0)
    world.report(path, "expected at least one asset in sources or sinks, found none")
}
