import type { FieldError } from './field-errors.ts';
import { brokenRule, unstorableText } from './field-rules.ts';
import { isMoment } from './moments.ts';
import { textErrors } from './required-texts.ts';

type FieldSchema =
  | {
      readonly type: 'string';
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly format?: 'date-time';
      readonly enum?: readonly string[];
    }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number };

/** All fields are required. */
export type OperatorInput = Readonly<Record<string, FieldSchema>>;

export type InputOf<S extends OperatorInput> = {
  [Field in keyof S]: S[Field] extends { readonly type: 'integer' }
    ? number
    : S[Field] extends { readonly enum: readonly (infer Word)[] }
      ? Word
      : string;
};

export const OPERATOR = { type: 'string', minLength: 1, maxLength: 100 } as const;
export const OWN_ID = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
export const wordsUpTo = <const Length extends number>(maxLength: Length) =>
  ({ type: 'string', minLength: 1, maxLength }) as const;

/**
 * Validates an operator's input with the API's messages. Uses no Ajv, which workflows cannot load.
 */
export function operatorInputErrors(schema: OperatorInput, input: unknown): FieldError[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return [{ field: 'body', ...brokenRule('type', { type: 'object' }) }];
  const values = input as Readonly<Record<string, unknown>>;
  const fields = Object.entries(schema);
  const errors = [
    ...fields.flatMap(([field]) =>
      Object.hasOwn(values, field) ? [] : [{ field, ...brokenRule('required', {}) }],
    ),
    ...Object.keys(values).flatMap((field) =>
      Object.hasOwn(schema, field) ? [] : [{ field, code: 'unknown_field', message: 'is unknown' }],
    ),
    ...fields.flatMap(([field, rules]) => {
      const broken = Object.hasOwn(values, field) ? brokenBy(rules, values[field]) : [];
      return broken.map(([keyword, params]) => ({ field, ...brokenRule(keyword, params) }));
    }),
  ];

  return errors.length > 0
    ? errors
    : errorsOfTexts(schema, values as Readonly<Record<string, string>>);
}

type BrokenKeyword = [keyword: string, params: Readonly<Record<string, unknown>>];

function brokenBy(rules: FieldSchema, value: unknown): BrokenKeyword[] {
  if (rules.type === 'integer') {
    if (!Number.isInteger(value)) return [['type', { type: 'integer' }]];
    if ((value as number) < rules.minimum) return [['minimum', { limit: rules.minimum }]];
    return (value as number) > rules.maximum ? [['maximum', { limit: rules.maximum }]] : [];
  }

  const { minLength = 0, maxLength = Infinity, format, enum: words } = rules;
  const isListed = words === undefined || words.includes(value as string);
  const unlisted: BrokenKeyword[] = isListed ? [] : [['enum', { allowedValues: words }]];
  if (typeof value !== 'string') return [['type', { type: 'string' }], ...unlisted];
  const length = Array.from(value).length;
  if (length < minLength) return [['minLength', { limit: minLength }]];
  if (length > maxLength) return [['maxLength', { limit: maxLength }]];

  return format === 'date-time' && !isMoment(value) ? [['format', { format }]] : unlisted;
}

function errorsOfTexts(
  schema: OperatorInput,
  values: Readonly<Record<string, string>>,
): FieldError[] {
  const texts = Object.entries(schema).flatMap(([field, rules]): [string, number][] =>
    rules.type === 'string' && rules.maxLength !== undefined ? [[field, rules.maxLength]] : [],
  );
  const unstorable = texts.flatMap(([field]) => {
    const broken = unstorableText(values[field]!);
    return broken === undefined ? [] : [{ field, ...broken }];
  });

  return unstorable.length > 0
    ? unstorable
    : textErrors(values, Object.fromEntries(texts), 'words');
}
