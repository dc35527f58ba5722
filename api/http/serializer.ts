import type { TSchema } from 'typebox';
import { MONEY_KEYWORD } from '../../kernel/pure/schemas.ts';
import { moneyText } from '../../kernel/pure/money.ts';
import { answerValidator, type Validator } from './input/validation.ts';

type Shape = {
  type?: string;
  format?: string;
  properties?: Record<string, Shape>;
  additionalProperties?: boolean | Shape;
  patternProperties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  const?: unknown;
  [MONEY_KEYWORD]?: boolean;
  $ref?: string;
  $defs?: Record<string, Shape>;
};

/** Thrown only in tests. In production, unknown fields are omitted. */
export class AnswerShapeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnswerShapeError';
  }
}

/**
 * Compiles the function that writes a response: it writes the schema's fields, dates as ISO 8601,
 * and kopecks as decimal numbers. `strict` (in tests) throws AnswerShapeError for values that
 * violate the schema.
 */
export function createSerializer(schema: TSchema, strict: boolean): (value: unknown) => string {
  const shape = withoutReferences(schema as Shape);
  // Compiling all validators takes half of the start of a test.
  let validator: Validator | undefined;
  const validate: Validator = strict
    ? (value) => (validator ??= answerValidator(schema))(value)
    : () => [];

  return (value) => {
    const projected = project(shape, value, '', strict);
    const errors = validate(projected);
    if (errors.length > 0)
      throw new AnswerShapeError(
        `The answer breaks its schema: ${errors.map((error) => `${error.field} ${error.message}`).join('; ')}`,
      );

    return JSON.stringify(writeMoney(shape, projected));
  };
}

// Missing in the types.
const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as unknown as {
  rawJSON: (text: string) => unknown;
  isRawJSON: (value: unknown) => boolean;
};

export const moneyJson = (kopecks: number): unknown => rawJson(moneyText(kopecks));

/** Recursive schemas contain themselves. */
function withoutReferences(shape: Shape, around: ReadonlyMap<string, Shape> = new Map()): Shape {
  const known = new Map(around);
  const own = Object.entries(shape.$defs ?? {});
  for (const [name] of own) known.set(name, {});
  for (const [name, definition] of own)
    Object.assign(known.get(name) ?? {}, withoutReferences(definition, known));
  if (shape.$ref !== undefined) return known.get(shape.$ref) ?? {};
  const copy = (entry: Shape) => withoutReferences(entry, known);
  const copies = (entry: Record<string, Shape>) =>
    Object.fromEntries(Object.entries(entry).map(([name, member]) => [name, copy(member)]));
  const { properties, patternProperties, additionalProperties, items, anyOf } = shape;

  return {
    ...shape,
    ...(properties === undefined ? {} : { properties: copies(properties) }),
    ...(patternProperties === undefined ? {} : { patternProperties: copies(patternProperties) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: copy(additionalProperties) }
      : {}),
    ...(items === undefined ? {} : { items: copy(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(copy) }),
  };
}

function project(shape: Shape, value: unknown, path: string, strict: boolean): unknown {
  if (value === null || value === undefined) return value;
  if (shape.anyOf !== undefined)
    return project(findBranch(shape.anyOf, value), value, path, strict);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) {
    const { items } = shape;
    return items === undefined
      ? value
      : value.map((entry, index) => project(items, entry, `${path}.${index}`, strict));
  }

  if (typeof value !== 'object') return value;
  if (
    shape.properties === undefined &&
    shape.patternProperties === undefined &&
    shape.type === undefined
  )
    return value;

  const result: Record<string, unknown> = {};
  // Schema order, for stable texts from jsonb.
  const record = value as Record<string, unknown>;

  for (const name of new Set([...Object.keys(shape.properties ?? {}), ...Object.keys(record)])) {
    const member = findMember(shape, name);
    if (!Object.hasOwn(record, name)) continue;
    if (member !== undefined)
      result[name] = project(member, record[name], `${path}.${name}`, strict);
    else if (strict) throw new AnswerShapeError(`The answer has the unknown field ${path}.${name}`);
  }

  return result;
}

function writeMoney(shape: Shape, value: unknown): unknown {
  if (value === null || value === undefined || isRawJson(value)) return value;
  if (shape.anyOf !== undefined) return writeMoney(findBranch(shape.anyOf, value), value);
  if (shape[MONEY_KEYWORD] === true && typeof value === 'number') return moneyJson(value);
  if (Array.isArray(value)) {
    const { items } = shape;
    return items === undefined ? value : value.map((entry) => writeMoney(items, entry));
  }

  if (typeof value !== 'object') return value;

  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      writeMoney(findMember(shape, name) ?? {}, each),
    ]),
  );
}

function findMember(shape: Shape, name: string): Shape | undefined {
  const own = shape.properties?.[name];
  if (own !== undefined) return own;
  const [record] = Object.values(shape.patternProperties ?? {});
  if (record !== undefined) return record;
  if (shape.additionalProperties === true) return {};

  return typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined;
}

function findBranch(branches: readonly Shape[], value: unknown): Shape {
  return branches.find((branch) => fits(branch, value)) ?? {};
}

function fits(branch: Shape, value: unknown): boolean {
  if (branch.const !== undefined) return branch.const === value;
  if (branch.anyOf !== undefined) return branch.anyOf.some((shape) => fits(shape, value));

  switch (branch.type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        constantsAgree(branch, value)
      );
    case 'string':
      return typeof value === 'string' || value instanceof Date;
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case undefined:
      return true;
    default:
      return typeof value === branch.type;
  }
}

function constantsAgree(branch: Shape, value: object): boolean {
  return Object.entries(branch.properties ?? {}).every(
    ([name, member]) =>
      member.const === undefined || member.const === (value as Record<string, unknown>)[name],
  );
}
