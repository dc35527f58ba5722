import type { TSchema } from 'typebox';
import { codeEntry, codeUrl, type CodeListName } from '../../../kernel/pure/codes.ts';
import {
  CODES_KEYWORD,
  MONEY_KEYWORD,
  NAME_KEYWORD,
  OR_UUID_KEYWORD,
  OTHERWISE_KEYWORD,
} from '../../../kernel/pure/schemas.ts';

type Json = Record<string, unknown>;

export type DocumentSchemas = {
  /** Returns the schema without our own keywords, or a reference if the schema has a name. */
  show(schema: TSchema): unknown;
  components(): Json;
};

/** Creates an empty collection. `show` throws if two different schemas have one name. */
export function documentSchemas(): DocumentSchemas {
  const named = new Map<string, string>();
  const refer = (name: string, schema: Json): Json => {
    const text = JSON.stringify(schema);
    if ((named.get(name) ?? text) !== text)
      throw new Error(`Two different schemas are named ${name}`);
    named.set(name, text);
    return reference(name);
  };

  // Runs from the innermost value outwards.
  const convert = (_: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const {
      [NAME_KEYWORD]: name,
      [MONEY_KEYWORD]: isMoney,
      $defs,
      $id: _id,
      ...rest
    } = openCodes(orUuid(value as Json));
    if (typeof $defs === 'object' && $defs !== null)
      for (const [own, schema] of Object.entries($defs)) refer(own, schema as Json);

    if (typeof rest['$ref'] === 'string') return reference(rest['$ref']);
    const shown = isMoney === true ? { ...rest, [DECIMAL_PLACES]: 2, examples: [250.0] } : rest;

    return typeof name === 'string' ? refer(name, shown) : shown;
  };

  return {
    show: (schema) => JSON.parse(JSON.stringify(schema), convert) as unknown,
    components: () =>
      Object.fromEntries(
        [...named].toSorted(byName).map(([name, text]) => [name, JSON.parse(text) as Json]),
      ),
  };
}

/** Allows UUIDs as alternatives to numbers. */
function orUuid(value: Json): Json {
  if (value[OR_UUID_KEYWORD] !== true) return value;
  const { [OR_UUID_KEYWORD]: _isEither, description, ...schema } = value;

  return {
    title: 'OrganizationReference',
    description,
    anyOf: [schema, { type: 'string', format: 'uuid' }],
  };
}

/** Adds an alternative for future codes to unions by code. */
function openCodes(value: Json): Json {
  const { [CODES_KEYWORD]: lists, [OTHERWISE_KEYWORD]: otherwise, enum: codes, ...schema } = value;
  if (otherwise !== undefined)
    return { ...schema, anyOf: [...(schema['anyOf'] as Json[]), otherwise] };
  if (lists === undefined) return value;
  if (codes === undefined) return schema;
  const findMeaning = (code: string) =>
    (lists as CodeListName[])
      .map((list) => codeEntry(list, code))
      .find((entry) => entry !== undefined)!.meaning;

  return {
    ...schema,
    [OPEN_ENUM]: codes,
    'x-enumDescriptions': Object.fromEntries(
      (codes as string[]).map((code) => [
        code,
        `${findMeaning(code)} See [${codeUrl(code)}](${codeUrl(code)}).`,
      ]),
    ),
  };
}

/** Replaces `enum`, with which clients would reject new codes. */
export const OPEN_ENUM = 'x-extensible-enum';

/** Number of decimals. `multipleOf` would fail: in floating point, 19.99 is no multiple of 0.01. */
export const DECIMAL_PLACES = 'x-decimal-places';

const PREFIX = '#/components/schemas/';

const reference = (name: string): Json => ({
  $ref: name.startsWith(PREFIX) ? name : PREFIX + name,
});

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : 1);
