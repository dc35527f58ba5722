import type { FieldError } from '../../../kernel/pure/field-errors.ts';
import { operatorInputErrors } from '../../../kernel/pure/operator-input.ts';

/** A request without names means all steps. */
export function upkeepRequestErrors(input: unknown, names: readonly string[]): FieldError[] {
  const { steps, ...others } = Object(input) as { steps?: unknown };
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const errors = operatorInputErrors({}, isObject ? others : input);
  if (errors.length > 0 || steps === undefined) return errors;
  if (Array.isArray(steps) && steps.every((name) => names.includes(name as string))) return [];

  return [{ field: 'steps', code: 'enum', message: `must be a list of ${names.join(', ')}` }];
}
