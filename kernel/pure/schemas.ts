import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { codesOf, listMeaning, type CodeListName, type CodeOf, type FieldOf } from './codes.ts';

/** Parts of body and answer schemas. The schemas of a module are in its `schemas/`. */

/** The keyword that carries the name of a schema. */
export const NAME_KEYWORD = 'x-name';
/** The keyword of money: whole kopecks in code, a number with two decimals in the JSON text. */
export const MONEY_KEYWORD = 'x-money';
/**
 * The keyword of a number for which a request may send the UUID of the ERP instead; the number is
 * what a handler gets.
 */
export const OR_UUID_KEYWORD = 'x-or-uuid';
/**
 * The keyword of codes in answers: the lists that they belong to. The API descriptions show them as
 * open enumerations.
 */
export const CODES_KEYWORD = 'x-codes';
/**
 * The keyword of a union by code: the schema of objects whose code the reader does not support yet.
 */
export const OTHERWISE_KEYWORD = 'x-otherwise';
/** Our own keywords. They validate nothing, so a validator has to be configured to accept them. */
export const ANNOTATIONS: readonly string[] = [
  NAME_KEYWORD,
  MONEY_KEYWORD,
  OR_UUID_KEYWORD,
  CODES_KEYWORD,
  OTHERWISE_KEYWORD,
];

/**
 * Gives a new schema its name in the API descriptions and the generated clients. A name belongs to
 * one schema: two different schemas with one name fail the generation.
 */
export const Named = <S extends TSchema>(name: string, schema: S): S => Object.assign(schema, { [NAME_KEYWORD]: name });

/** The name of a schema, if it has one; a recursive schema has the name of its target. */
const nameOf = (schema: TSchema): string | undefined =>
  (schema as { [NAME_KEYWORD]?: string })[NAME_KEYWORD] ?? (schema as { $ref?: string }).$ref;

/**
 * Money in answers: whole kopecks in code, a number with two decimals in the JSON text (rule
 * HTTP-7).
 */
export const Money = Type.Unsafe<number>({
  type: 'number',
  [MONEY_KEYWORD]: true,
  description: 'Roubles (RUB) with two decimals.',
});

/** A moment in an answer: a Date or an ISO text in code, ISO 8601 with zone in the JSON text. */
export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' });

/** The same fields as the database gives them, with moments as dates. */
export type WithDates<T> = { [K in keyof T]: Date extends T[K] ? Exclude<T[K], string> : T[K] };

/** Our own long id. Beyond 2^53 no id of ours exists. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/**
 * An organization in a request of the admin API: our number, or the UUID of the ERP that
 * storefronts send under the same name. The handler gets the number (decision 39).
 */
export const OrganizationId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  [OR_UUID_KEYWORD]: true,
  description: 'The number `id` of `GET /organizations`, or its `erpId`, the UUID that storefronts use.',
});

/** An id of the ERP. */
export const Uuid = Type.String({ format: 'uuid' });

/** A number of things. */
export const Count = Type.Integer({ minimum: 0 });

/** `schema` or null. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const NullableText = Nullable(Type.String());

/** True for words of staff that were erased; their field is null then. */
export const ReasonErased = Type.Boolean({ description: 'True when the text was erased.' });

/** A closed list of words. */
export const Words = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words] });

/**
 * Codes of an answer (rule HTTP-27). They are a closed list for us and an open one for clients, so
 * that codes can be added. A single list is a schema of its own name. Requests use `Words`.
 */
export function Codes<const L extends CodeListName>(...lists: [L, ...L[]]) {
  const codes = Type.Unsafe<CodeOf<L>>({
    type: 'string',
    enum: codesOf(...lists),
    [CODES_KEYWORD]: lists,
    description: lists.map(listMeaning).join(' '),
  });
  return lists.length === 1 ? Named(lists[0], codes) : codes;
}

/**
 * A union of objects that a code distinguishes of one list (rule ORD-96). `alternatives` has
 * the fields of each code besides those of all codes. The description repeats every field as an
 * optional one, for clients that do not read unions; `released` are those that version 1 has
 * declared although no code has them.
 */
export function ByCode<
  L extends CodeListName,
  K extends string,
  P extends TProperties,
  A extends { readonly [C in CodeOf<L>]: TProperties & Record<FieldOf<L, C> & string, TSchema> },
>({ name, list, key, all, alternatives, released = {} }: UnionByCode<L, K, P, A>) {
  const keyed = (code: object) => ({ [key]: Type.Unsafe(code), ...all });
  const every = Object.assign({}, ...(Object.values(alternatives) as TProperties[])) as TProperties;
  const known = codesOf(list);
  return Named(
    name,
    Type.Unsafe<
      {
        [C in CodeOf<L>]: { [F in K]: C } & Static<ReturnType<typeof Type.Object<P>>> &
          Static<ReturnType<typeof Type.Object<A[C]>>>;
      }[CodeOf<L>]
    >({
      ...Type.Object({ ...keyed(Codes(list)), ...Type.Partial(Type.Object({ ...released, ...every })).properties }),
      anyOf: known.map((code) =>
        Named(
          `${name}${pascalCase(code)}`,
          Type.Object({ ...keyed({ type: 'string', const: code, [CODES_KEYWORD]: [list] }), ...alternatives[code] }),
        ),
      ),
      [OTHERWISE_KEYWORD]: Named(
        `${name}Other`,
        Type.Object(
          keyed({ type: 'string', not: { enum: known }, description: 'A code that is newer than the client.' }),
        ),
      ),
    }),
  );
}
type UnionByCode<L, K, P, A> = {
  name: string;
  list: L;
  key: K;
  all: P;
  alternatives: A;
  released?: TProperties;
};

const pascalCase = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** An object of a request: unknown fields are rejected. */
export const Strict = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** `version` of an edit: the version the caller has seen (rule HTTP-5). */
export const Version = Type.Integer({ minimum: 1, description: 'Version that the caller has read' });

/** The body of a request without other fields. */
export const SeenVersion = Named('SeenVersion', Strict({ version: Type.Optional(Version) }));

/** The envelope of a list that continues by cursors, named after its items (rule HTTP-42). */
export function CursorPage<S extends TSchema>(item: S) {
  const page = Type.Object({
    ...Page(item).properties,
    total: Type.Integer({
      description: 'Number of items on all pages. Without `page` at most 1,000 are counted; 1,000 means that or more.',
    }),
    next: Nullable(Type.String({ description: 'Send it as `after` to read the next page. Null on the last page.' })),
  });
  const name = nameOf(item);
  return name === undefined ? page : Named(`${name}Page`, page);
}

/** The envelope of every list, named after its items (rule HTTP-2). */
export function Page<S extends TSchema>(item: S) {
  const page = Type.Object({
    items: Type.Array(item),
    page: Type.Integer(),
    size: Type.Integer(),
    total: Type.Integer({ description: 'Number of items on all pages.' }),
  });
  const name = nameOf(item);
  return name === undefined ? page : Named(`${name}Page`, page);
}
