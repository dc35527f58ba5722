/**
 * The longest time of a statement in milliseconds, after which the database or its client ends it.
 * An activity that is one transaction heartbeats for so long without progress (rule OPS-191).
 */
export type StatementLimit = { statementMs: number };
