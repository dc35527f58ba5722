import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';

/** Returns an error for an empty period; null is unlimited. */
export function periodErrors({
  activeFrom,
  activeTo,
}: {
  activeFrom: Date | null;
  activeTo: Date | null;
}): FieldError[] {
  const isEmpty = activeFrom !== null && activeTo !== null && activeFrom >= activeTo;
  return isEmpty ? [fieldError('activeTo', 'invalid', 'It must end after it begins.')] : [];
}

/** Returns the faults of an expectation rule (FUL-18). */
export function expectationErrors(rule: {
  scope: 'GLOBAL' | 'CATEGORY';
  categoryId: number | null;
  activeFrom: Date | null;
  activeTo: Date | null;
}): FieldError[] {
  const { scope, categoryId } = rule;
  return [
    ...(scope === 'CATEGORY' && categoryId === null
      ? [fieldError('categoryId', 'required', 'The category that the kitchen is busy with.')]
      : []),
    ...(scope === 'GLOBAL' && categoryId !== null
      ? [fieldError('categoryId', 'not_supported', 'A rule for all orders has no category.')]
      : []),
    ...periodErrors(rule),
  ];
}
