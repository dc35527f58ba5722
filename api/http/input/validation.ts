import { Ajv, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import type { FieldError } from '../../../kernel/problem.ts';
import { unstorableText } from '../../../kernel/pure/field-rules.ts';
import { OR_UUID_KEYWORD } from '../../../kernel/pure/schemas.ts';
import { fieldErrors } from './field-errors.ts';
import { addOurFormats } from './formats.ts';

const options = { strict: true, useDefaults: true, allowUnionTypes: true } as const;

/** With `allErrors`, later schemas get typed values. The length of a URL bounds the work. */
const queryAjv = addOurFormats(new Ajv({ ...options, allErrors: true, coerceTypes: 'array' }));
const bodyAjv = addOurFormats(new Ajv(options));
/** Money in answers is still in kopecks. */
const answerAjv = addOurFormats(new Ajv({ ...options, useDefaults: false }));

export type Validator = (value: unknown) => FieldError[];

export function queryValidator(schema: TSchema, root: string): Validator {
  const check = validator(queryAjv, schema, root);
  const moments = listMoments(schema);

  return (value) => {
    restorePlusSigns(moments, value);
    const odd = oddNumbers(schema, value);

    // Rejects texts that Ajv would convert.
    return [
      ...odd,
      ...check(value).filter((error) => !odd.some(({ field }) => field === error.field)),
    ];
  };
}

const listMoments = (schema: TSchema): string[] =>
  Object.entries(membersOf(schema))
    .filter(([, { format, items }]) => (items?.format ?? format) === 'date-time')
    .map(([name]) => name);

/** An unescaped plus sign is decoded as a blank. */
const LOST_PLUS = /(?<=\d) (?=\d\d:?\d\d$)/;

/** Rule HTTP-99. */
function restorePlusSigns(names: readonly string[], value: unknown): void {
  const record = value as Record<string, unknown>;
  const restored = (entry: unknown) =>
    typeof entry === 'string' ? entry.replace(LOST_PLUS, '+') : entry;

  for (const name of names) {
    const entry = record[name];
    if (entry !== undefined)
      record[name] = Array.isArray(entry) ? entry.map(restored) : restored(entry);
  }
}

/** Accepted notations. Ajv's coercion would also accept `0x1`, `1e3`, `+1` and blanks. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  integer: /^-?(?:0|[1-9]\d*)$/,
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/,
};

type Member = { type?: string; format?: string; items?: Member; [OR_UUID_KEYWORD]?: boolean };

const membersOf = (schema: TSchema): Record<string, Member> =>
  (schema as { properties?: Record<string, Member> }).properties ?? {};

function oddNumbers(schema: TSchema, value: unknown): FieldError[] {
  return Object.entries(membersOf(schema)).flatMap(
    ([field, { type, items, [OR_UUID_KEYWORD]: isEither }]) => {
      const expected = type === 'array' ? items?.type : type;
      const written = expected === undefined ? undefined : WRITTEN[expected];
      const texts = [(value as Record<string, unknown>)[field]]
        .flat()
        .filter((entry) => typeof entry === 'string');
      if (written === undefined || texts.every((text) => written.test(text))) return [];

      return [
        {
          field,
          code: 'type',
          message: `must be ${expected}${isEither === true ? ' or a uuid' : ''}`,
        },
      ];
    },
  );
}

export function bodyValidator(schema: TSchema): Validator {
  return validator(bodyAjv, schema, 'body');
}

/** Creates a validator that checks only the depth, for senders that cannot correct their bodies. */
export function foreignBodyValidator(schema: TSchema): Validator {
  return validator(bodyAjv, schema, 'body', { checksTexts: false });
}

export function answerValidator(schema: TSchema): Validator {
  return validator(answerAjv, schema, 'answer');
}

function validator(
  ajv: Ajv,
  schema: TSchema,
  root: string,
  { checksTexts } = { checksTexts: true },
): Validator {
  // All schemas take a fifth of the start, and a process uses few.
  let compiled: ValidateFunction | undefined;
  const isValid = (value: unknown) => (compiled ??= ajv.compile(schema))(value);

  return (value) => {
    // A recursive schema would follow the full depth.
    const { tooDeep, texts } = beyondSchemas(value, root);
    if (tooDeep !== null) return [tooDeep];
    if (isValid(value)) return checksTexts ? texts : [];
    const errors = fieldErrors(schema, value, root);
    return errors.length > 0 ? errors : [{ field: root, code: 'invalid', message: 'is not valid' }];
  };
}

/** Protects the stack. */
const DEEPEST = 64;

type Container = { value: object; name: string; parent: Container | null; depth: number };

/**
 * Checks the depth, and rejects texts that PostgreSQL rejects (U+0000, unpaired surrogates).
 * Iterative, to protect the stack.
 */
function beyondSchemas(
  whole: unknown,
  root: string,
): { tooDeep: FieldError | null; texts: FieldError[] } {
  const texts: FieldError[] = [];
  const stack: Container[] = [];
  const look = (value: unknown, name: string, parent: Container | null): void => {
    if (typeof value === 'string') texts.push(...textErrors(value, name, parent, root));
    else if (typeof value === 'object' && value !== null)
      stack.push({ value, name, parent, depth: parent === null ? 0 : parent.depth + 1 });
  };

  look(whole, '', null);

  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.depth >= DEEPEST) {
      const field = fieldAt(next.name, next.parent, root);
      return { tooDeep: { field, code: 'too_deep', message: 'is nested too deeply' }, texts };
    }

    for (const name of Object.keys(next.value))
      look((next.value as Record<string, unknown>)[name], name, next);
  }

  return { tooDeep: null, texts };
}

function textErrors(
  text: string,
  name: string,
  parent: Container | null,
  root: string,
): FieldError[] {
  const broken = unstorableText(text);
  return broken === undefined ? [] : [{ field: fieldAt(name, parent, root), ...broken }];
}

function fieldAt(name: string, parent: Container | null, root: string): string {
  const path: string[] = [];

  for (
    let at: Pick<Container, 'name' | 'parent'> | null = { name, parent };
    at.parent !== null;
    at = at.parent
  )
    path.unshift(at.name);

  return path.join('.') || root;
}
