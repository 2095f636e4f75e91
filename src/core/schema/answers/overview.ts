import { z } from "zod"
import {
  amount,
  amountOrNull,
  count,
  mode,
  number,
  reason,
  reasons,
  text,
  textOrNull,
  time,
  timeOrNull,
} from "./leaves.ts"

const pauseAlarm = z.object({ id: text, code: text, order: textOrNull, message: text, at: time })

export const pause = z.object({
  at: text,
  by: z.enum(["operator", "alarm", "books", "file", "signal"]),
  reason: textOrNull,
  alarms: z.array(pauseAlarm),
})

const problem = z.object({
  level: z.enum(["attention", "trouble"]),
  code: text,
  kind: text,
  about: textOrNull,
  sentence: text,
  meaning: text,
  todo: text,
  command: textOrNull,
  order: textOrNull,
  needsPerson: z.boolean(),
  deadline: timeOrNull,
  left: textOrNull,
})

/** The calls of the last 24 hours by the hour, without hours that had none. */
const hours = z.array(z.object({ at: time, answered: count, failed: count, fault: textOrNull }))

const endpoint = z.object({
  host: text,
  state: z.enum([
    "good",
    "unasked",
    "failing",
    "silent",
    "wrong-network",
    "behind",
    "ahead",
    "slow",
  ]),
  lastAnswer: timeOrNull,
  height: textOrNull,
  headAgeMs: number.nullable(),
  tookMs: number.nullable(),
  error: textOrNull,
  hours,
})

const chain = z.object({
  chain: text,
  state: z.enum(["good", "degraded", "silent", "unknown"]),
  lastAnswer: timeOrNull,
  headAgeMs: number.nullable(),
  height: textOrNull,
  needed: count,
  agreeing: count.nullable(),
  endpoints: z.array(endpoint),
})

const service = z.object({
  name: text,
  state: z.enum(["good", "slow", "silent", "failing", "resting", "unknown"]),
  lastAnswer: timeOrNull,
  inFlight: count,
  restUntil: timeOrNull,
  error: textOrNull,
  hours,
})

const bound = z.object({
  rule: text,
  min: amount,
  target: amount,
  max: amountOrNull,
  place: z.enum(["below", "within", "above", "unknown"]),
})

const holding = z.object({
  asset: text,
  amount: amountOrNull,
  readAt: timeOrNull,
  bounds: z.array(bound),
  shares: z.array(z.object({ rule: text, percent: text })),
})

const gas = z.object({
  chain: text,
  coin: text,
  amount: amountOrNull,
  needed: amount,
  daysLeft: number.nullable(),
  readAt: timeOrNull,
})

const flight = z.object({
  id: text,
  rule: text,
  from: text,
  to: text,
  amount,
  destinationAmount: amountOrNull,
  state: text,
  money: text,
  held: z.boolean(),
  since: time,
  deadline: timeOrNull,
  /** The time left, and what ends then. */
  left: textOrNull,
  ends: textOrNull,
})

/** `verdict`, `last` and `reasons` are those of the last decision. */
const rule = z.object({
  id: text,
  kind: text,
  enabled: z.boolean(),
  paused: z.boolean(),
  next: timeOrNull,
  last: timeOrNull,
  verdict: z.enum(["proposed", "declined"]).nullable(),
  reasons,
})

const limit = z.object({
  name: text,
  used: amount,
  max: amount,
  left: amount,
  unit: text,
  percent: number,
})

const member = z.object({ holder: text, version: text, seq: count })

const cluster = z.object({
  role: z.enum(["leader", "standby"]),
  holder: textOrNull,
  epoch: count.nullable(),
  seq: count.nullable(),
  lastAnswer: time,
  standbys: z.array(member),
})

/** The state of a treasury at one moment, as every surface shows it. */
export const overview = z.object({
  at: time,
  level: z.enum(["ok", "attention", "trouble"]),
  /** One sentence: the gravest problem, or that all is well. */
  verdict: text,
  daemon: z.object({
    answers: z.boolean(),
    pid: count.nullable(),
    version: textOrNull,
    lastSeen: timeOrNull,
    startedAt: timeOrNull,
  }),
  /** `null` for a daemon without a cluster. */
  cluster: cluster.nullable(),
  mode: mode.nullable(),
  pause: pause.nullable(),
  pausedChains: z.array(text),
  pausedRules: z.array(text),
  problems: z.array(problem),
  /** The problems that need a person, the nearest deadline first. */
  tasks: z.array(problem),
  nodes: z.array(chain),
  services: z.array(service),
  treasury: z.array(holding),
  gas: z.array(gas),
  orders: z.array(flight),
  rules: z.array(rule),
  /** The next evaluation of each rule, the earliest first. */
  next: z.array(z.object({ rule: text, at: time })),
  limits: z.array(limit),
  /** The alarms whose cause lasts. */
  alarms: z.array(z.object({ at: time, order: textOrNull, reason })),
  disk: z.object({ freeBytes: number, free: text }).nullable(),
  clock: reason.nullable(),
})
