/**
 * The version of the decisions that `evaluate` makes. A change of rules or planner that gives other
 * orders or reasons for the same inputs raises it. Stored decisions carry it: `replay` repeats
 * those of this version, and checks the orders of others against their stored inputs (ADR 25).
 * Decisions without it are of version 1.
 */
export const POLICY_VERSION = 8
