import { createHash } from "node:crypto"
import type { Problem } from "#health/problem.ts"
import type { AlertRecord } from "./delivery-state.ts"

/**
 * Opens a record for each new problem, refreshes the texts of lasting ones, and closes each one
 * whose problem is gone. Pure.
 */
export function trackAlerts(
  known: readonly AlertRecord[],
  problems: readonly Problem[],
  nowMs: number,
): readonly AlertRecord[] {
  const present = new Map<string, Problem>()
  // The gravest comes first, and of two with one cause it counts.
  for (const problem of problems)
    if (!present.has(keyOf(problem))) present.set(keyOf(problem), problem)
  const kept = known.map((record) => {
    const problem = present.get(record.key)
    if (problem === undefined)
      return record.closedMs === null ? { ...record, closedMs: nowMs } : record
    return continueRecord(record, problem)
  })
  const names = new Set(known.map(({ key }) => key))
  const opened = [...present]
    .filter(([key]) => !names.has(key))
    .map(([key, problem]) => openRecord(key, problem, nowMs))
  return [...kept, ...opened]
}

/** One cause has one key: its texts change with time, so they are no part of it. */
function keyOf({ code, order, about }: Problem): string {
  return [code, order ?? "", about ?? ""].join("/")
}

function openRecord(key: string, problem: Problem, nowMs: number): AlertRecord {
  const id = createHash("sha256").update(`${key} ${nowMs}`).digest("hex").slice(0, 8)
  return {
    id,
    key,
    ...textsOf(problem),
    openedMs: nowMs,
    closedMs: null,
    acknowledged: null,
    escalatedMs: null,
    told: {},
  }
}

/**
 * An alert that becomes graver, or comes back after its end was told, is news again. One that comes
 * back before that never ended.
 */
function continueRecord(record: AlertRecord, problem: Problem): AlertRecord {
  const isGraver = record.level === "attention" && problem.level === "trouble"
  const isBack = Object.values(record.told).some(({ isEndTold }) => isEndTold)
  const news = isGraver || isBack ? { told: {}, acknowledged: null, escalatedMs: null } : {}
  return { ...record, ...textsOf(problem), closedMs: null, ...news }
}

function textsOf({
  code,
  kind,
  level,
  sentence,
  meaning,
  todo,
  command,
  order,
  deadlineMs,
  needsPerson,
}: Problem) {
  return { code, kind, level, sentence, meaning, todo, command, order, deadlineMs, needsPerson }
}
