import type { FieldError } from '../../kernel/problem.ts';

/** Returns errors of a value. `field`: its path in the request. */
export type Check = (value: unknown, field: string) => FieldError[];

/** `schema`: the same check as JSON Schema for forms (OPS-200). */
export type Rule = { check: Check; schema: Readonly<Record<string, unknown>> };
