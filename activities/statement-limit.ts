/**
 * Longest time of a statement in ms. An activity that is one transaction heartbeats this long
 * without progress (rule OPS-191).
 */
export type StatementLimit = { statementMs: number };
