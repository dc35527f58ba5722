import type { FIELD_CODES } from './field-codes.ts';

/** The sentence lacks the field's name. */
type BrokenRule = { code: keyof typeof FIELD_CODES; message: string };

/** By JSON Schema keyword. */
const RULES: Record<string, (params: Readonly<Record<string, unknown>>) => BrokenRule> = {
  required: () => ({ code: 'required', message: 'is required' }),
  type: (params) => ({ code: 'type', message: `must be ${[params['type']].flat().join(' or ')}` }),
  enum: (params) => ({
    code: 'enum',
    message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`,
  }),
  const: (params) => ({
    code: 'enum',
    message: `must be ${JSON.stringify(params['allowedValue'])}`,
  }),
  format: (params) => ({ code: 'format', message: `must be a ${String(params['format'])}` }),
  pattern: () => ({ code: 'format', message: 'does not have the expected form' }),
  minLength: (params) => ({
    code: 'min_length',
    message:
      params['limit'] === 1
        ? 'must not be empty'
        : `must have at least ${String(params['limit'])} characters`,
  }),
  maxLength: (params) => ({
    code: 'max_length',
    message: `must have at most ${String(params['limit'])} characters`,
  }),
  minimum: (params) => ({ code: 'min', message: `must be at least ${String(params['limit'])}` }),
  exclusiveMinimum: (params) => ({
    code: 'min',
    message: `must be more than ${String(params['limit'])}`,
  }),
  maximum: (params) => ({ code: 'max', message: `must be at most ${String(params['limit'])}` }),
  exclusiveMaximum: (params) => ({
    code: 'max',
    message: `must be less than ${String(params['limit'])}`,
  }),
  minItems: (params) => ({
    code: 'min_items',
    message: `must have at least ${String(params['limit'])} elements`,
  }),
  maxItems: (params) => ({
    code: 'max_items',
    message: `must have at most ${String(params['limit'])} elements`,
  }),
  minProperties: () => ({ code: 'required', message: 'must name at least one field' }),
};

/**
 * Returns the error of a violated keyword, for both APIs and workflow updates. `otherwise` is for
 * keywords that are not listed.
 */
export function brokenRule(
  keyword: string,
  params: Readonly<Record<string, unknown>>,
  otherwise = 'is not valid',
): BrokenRule {
  return RULES[keyword]?.(params) ?? { code: 'invalid', message: otherwise };
}

/** Returns the error of a text that PostgreSQL cannot store. */
export function unstorableText(text: string): BrokenRule | undefined {
  if (text.includes('\0'))
    return { code: 'format', message: 'must not contain the character U+0000' };
  if (!text.isWellFormed())
    return { code: 'format', message: 'must not contain half of a surrogate pair' };
  return undefined;
}
