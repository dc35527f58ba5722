import type { FieldError } from '../../../kernel/pure/field-errors.ts';
import { operatorInputErrors } from '../../../kernel/pure/operator-input.ts';

/** The errors of a request for steps of upkeep, which must be known; none of one for all of them. */
export function upkeepRequestErrors(input: unknown, known: readonly { name: string }[]): FieldError[] {
  const { steps, ...others } = Object(input) as { steps?: unknown };
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const errors = operatorInputErrors({}, isObject ? others : input);
  if (errors.length > 0 || steps === undefined) return errors;
  const names = known.map(({ name }) => name);
  if (Array.isArray(steps) && steps.every((name) => names.includes(name as string))) return [];
  return [{ field: 'steps', code: 'enum', message: `must be a list of ${names.join(', ')}` }];
}
