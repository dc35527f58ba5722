import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { listCodes, listMeaning, type CodeListName, type CodeOf, type FieldOf } from './codes.ts';

export const NAME_KEYWORD = 'x-name';
export const MONEY_KEYWORD = 'x-money';
/** Requests may send the ERP's UUID instead; handlers get the number. */
export const OR_UUID_KEYWORD = 'x-or-uuid';
/** API descriptions show open enumerations. */
export const CODES_KEYWORD = 'x-codes';
/** The schema for objects with a code of a later release. */
export const OTHERWISE_KEYWORD = 'x-otherwise';

/** Our keywords. They validate nothing. */
export const ANNOTATIONS: readonly string[] = [
  NAME_KEYWORD,
  MONEY_KEYWORD,
  OR_UUID_KEYWORD,
  CODES_KEYWORD,
  OTHERWISE_KEYWORD,
];

/**
 * Names a schema in API descriptions and clients. The generation fails if two different schemas
 * have one name.
 */
export const Named = <S extends TSchema>(name: string, schema: S): S =>
  Object.assign(schema, { [NAME_KEYWORD]: name });

/** A recursive schema has the name of its target. */
const nameOf = (schema: TSchema): string | undefined =>
  (schema as { [NAME_KEYWORD]?: string })[NAME_KEYWORD] ?? (schema as { $ref?: string }).$ref;

/** Whole kopecks in code, a number with two decimals in JSON (HTTP-7). */
export const Money = Type.Unsafe<number>({
  type: 'number',
  [MONEY_KEYWORD]: true,
  description: 'Rubles (RUB) with two decimals.',
});

/** A Date or ISO text in code, ISO 8601 with zone in JSON. */
export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' });

/** Dates as the database returns them. */
export type WithDates<T> = { [K in keyof T]: Date extends T[K] ? Exclude<T[K], string> : T[K] };

/** An id that JavaScript can represent exactly. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Our id, or the ERP's UUID. Handlers get our id (decision 39). */
export const OrganizationId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  [OR_UUID_KEYWORD]: true,
  description:
    'The number `id` of `GET /organizations`, or its `erpId`, the UUID that storefronts use.',
});

export const Uuid = Type.String({ format: 'uuid' });

export const Count = Type.Integer({ minimum: 0 });

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const NullableText = Nullable(Type.String());

/** True if the text of staff was erased. Its field is then null. */
export const ReasonErased = Type.Boolean({ description: 'True when the text was erased.' });

export const Words = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words] });

/**
 * Returns the schema of codes. Responses use it so that codes can be added (HTTP-27); requests use
 * `Words`. A single list becomes a named schema.
 */
export function Codes<const L extends CodeListName>(...lists: [L, ...L[]]) {
  const codes = Type.Unsafe<CodeOf<L>>({
    type: 'string',
    enum: listCodes(...lists),
    [CODES_KEYWORD]: lists,
    description: lists.map(listMeaning).join(' '),
  });

  return lists.length === 1 ? Named(lists[0], codes) : codes;
}

/**
 * Returns a union of objects that differ by code (ORD-96). `alternatives` are the additional fields
 * of each code, which are optional in clients without unions. `released` are the fields that
 * version 1 declared without a code.
 */
export function ByCode<
  L extends CodeListName,
  K extends string,
  P extends TProperties,
  A extends { readonly [C in CodeOf<L>]: TProperties & Record<FieldOf<L, C> & string, TSchema> },
>({ name, list, key, all, alternatives, released = {} }: UnionByCode<L, K, P, A>) {
  const keyed = (code: object) => ({ [key]: Type.Unsafe(code), ...all });
  const every = Object.assign({}, ...(Object.values(alternatives) as TProperties[])) as TProperties;
  const known = listCodes(list);

  return Named(
    name,
    Type.Unsafe<
      {
        [C in CodeOf<L>]: { [F in K]: C } & Static<ReturnType<typeof Type.Object<P>>> &
          Static<ReturnType<typeof Type.Object<A[C]>>>;
      }[CodeOf<L>]
    >({
      ...Type.Object({
        ...keyed(Codes(list)),
        ...Type.Partial(Type.Object({ ...released, ...every })).properties,
      }),
      anyOf: known.map((code) =>
        Named(
          `${name}${pascalCase(code)}`,
          Type.Object({
            ...keyed({ type: 'string', const: code, [CODES_KEYWORD]: [list] }),
            ...alternatives[code],
          }),
        ),
      ),
      [OTHERWISE_KEYWORD]: Named(
        `${name}Other`,
        Type.Object(
          keyed({
            type: 'string',
            not: { enum: known },
            description: 'A code that is newer than the client.',
          }),
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

export const Strict = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The version that the caller has read (HTTP-5). */
export const Version = Type.Integer({
  minimum: 1,
  description: 'Version that the caller has read',
});

export const SeenVersion = Named('SeenVersion', Strict({ version: Type.Optional(Version) }));

/** Returns the schema of a list with cursors, named after its items (HTTP-42). */
export function CursorPage<S extends TSchema>(item: S) {
  const page = Type.Object({
    ...Page(item).properties,
    total: Type.Integer({
      description:
        'Number of items on all pages. Without `page` at most 1,000 are counted; 1,000 means that or more.',
    }),
    next: Nullable(
      Type.String({
        description: 'Send it as `after` to read the next page. Null on the last page.',
      }),
    ),
  });

  const name = nameOf(item);

  return name === undefined ? page : Named(`${name}Page`, page);
}

/** Returns the schema of a list, named after its items (HTTP-2). */
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
