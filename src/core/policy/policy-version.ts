/**
 * The version of the decisions that `evaluate` makes. A change of rules or planner that gives other
 * orders or reasons for the same inputs raises it, and records the plans of
 * `test/unit/policy/recorded-*.test.ts` anew. Stored decisions carry it, and `replay` repeats
 * those of this version only (ADR 25).
 */
export const POLICY_VERSION = 13
