import type { AnswerOf } from "#schema/answers/answers.ts"

/** The answers of the interface, by their names in this page. */
export type Overview = AnswerOf<"Overview">
export type Summary = AnswerOf<"Summary">
export type Series = AnswerOf<"Series">
export type Flows = AnswerOf<"Flows">
export type Order = AnswerOf<"Order">
export type OrderAnswer = AnswerOf<"OrderWithEvents">
export type Decision = AnswerOf<"Decisions">["decisions"][number]
export type Replay = AnswerOf<"Replay">
export type Plan = AnswerOf<"Plan">
export type Quote = AnswerOf<"Quote">
export type Books = AnswerOf<"Books">
export type Simulation = AnswerOf<"Simulation">
export type Settings = AnswerOf<"Settings">
export type Alert = AnswerOf<"Alerts">["alerts"][number]
