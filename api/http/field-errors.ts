import type { ErrorObject } from 'ajv';
import type { FIELD_CODES } from '../../contracts/field-codes.ts';
import type { FieldError } from '../../contracts/problem.ts';

type FieldCode = keyof typeof FIELD_CODES;

/** Code and sentence of one broken rule by Ajv keyword. */
const RULES: Record<string, (params: Record<string, unknown>) => { code: FieldCode; message: string }> = {
  required: () => ({ code: 'required', message: 'is required' }),
  additionalProperties: () => ({ code: 'unknown_field', message: 'is not known' }),
  type: (params) => ({ code: 'type', message: `must be ${[params['type']].flat().join(' or ')}` }),
  enum: (params) => ({ code: 'enum', message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` }),
  const: (params) => ({ code: 'enum', message: `must be ${JSON.stringify(params['allowedValue'])}` }),
  format: (params) => ({ code: 'format', message: `must be a ${String(params['format'])}` }),
  pattern: () => ({ code: 'format', message: 'does not have the expected form' }),
  minLength: (params) => ({ code: 'min_length', message: `must have at least ${String(params['limit'])} characters` }),
  maxLength: (params) => ({ code: 'max_length', message: `must have at most ${String(params['limit'])} characters` }),
  minimum: (params) => ({ code: 'min', message: `must be at least ${String(params['limit'])}` }),
  exclusiveMinimum: (params) => ({ code: 'min', message: `must be more than ${String(params['limit'])}` }),
  maximum: (params) => ({ code: 'max', message: `must be at most ${String(params['limit'])}` }),
  exclusiveMaximum: (params) => ({ code: 'max', message: `must be less than ${String(params['limit'])}` }),
  minItems: (params) => ({ code: 'min_items', message: `must have at least ${String(params['limit'])} elements` }),
  maxItems: (params) => ({ code: 'max_items', message: `must have at most ${String(params['limit'])} elements` }),
  minProperties: () => ({ code: 'required', message: 'must name at least one field' }),
  uniqueItems: () => ({ code: 'duplicate', message: 'must not repeat an element' }),
  anyOf: () => ({ code: 'type', message: 'has none of the allowed shapes' }),
  oneOf: () => ({ code: 'type', message: 'has none of the allowed shapes' }),
};

/** Field errors of one failed validation, in the order of the schema, each (field, code) once. `root` names the whole. */
export function fieldErrors(errors: readonly ErrorObject[], root: string): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of withoutBranches(errors)) {
    const field = fieldOf(error) || root;
    const rule = RULES[error.keyword];
    const { code, message } = rule?.(error.params) ?? { code: 'invalid', message: error.message ?? 'is not valid' };
    if (!found.has(`${field} ${code}`)) found.set(`${field} ${code}`, { field, code, message });
  }
  return [...found.values()];
}

/** `/variants/0/erp~1id` with a missing or unknown member becomes `variants.0.erp/id.member`. */
function fieldOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const member = missingProperty ?? additionalProperty;
  return [...path, ...(member === undefined ? [] : [member])].join('.');
}

/**
 * Ajv reports every branch of a union beside the union itself. What helps is the error of the branch that was meant
 * (right type, broken rule); when no branch has the type, one error lists the types.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  return unions.reduce<ErrorObject[]>(
    (left, union) => {
      const isBranch = (error: ErrorObject) =>
        error !== union &&
        error.schemaPath.startsWith(`${union.schemaPath}/`) &&
        (error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`));
      const branches = left.filter(isBranch);
      const wrongType = (error: ErrorObject) => error.keyword === 'type' && error.instancePath === union.instancePath;
      const meant = branches.filter((error) => !wrongType(error));
      if (meant.length > 0) return left.filter((error) => error !== union && !(isBranch(error) && wrongType(error)));
      const types = branches.map((error) => (error.params as { type: string }).type);
      return left
        .filter((error) => !isBranch(error))
        .map((error) =>
          error === union && types.length > 0 ? { ...error, keyword: 'type', params: { type: types } } : error,
        );
    },
    [...errors],
  );
}
