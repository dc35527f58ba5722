import type { FieldError } from '../../kernel/problem.ts';

/**
 * Field errors of a value; none means that it may be stored. `field` is the path of the value in
 * the request.
 */
export type Check = (value: unknown, field: string) => FieldError[];

/** The values of a setting: their check, and the same as JSON Schema for forms (rule OPS-200). */
export type Rule = { check: Check; schema: Readonly<Record<string, unknown>> };
