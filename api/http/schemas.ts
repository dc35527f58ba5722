import { Type, type Static, type TProperties, type TSchema } from 'typebox';

/** Money in answers: whole kopecks inside, a number with two decimals in the JSON text. */
export const Money = Type.Unsafe<number>({
  type: 'number',
  'x-money': true,
  description: 'Roubles (RUB) with two decimals.',
});

/** A moment in an answer: a Date or an ISO text inside, ISO 8601 with zone in the JSON text. */
export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' });

/** Our own long id. Beyond 2^53 no id of ours exists. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** An organization in the admin contour, where storefronts name it by the UUID of the ERP. */
export const OrganizationId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'Number `id` of the organization in `GET /organizations`. Storefronts use the UUID, which is `erpId` there.',
});

/** An id of the external system. */
export const Uuid = Type.String({ format: 'uuid' });

/** `schema` or null. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** A closed list of words. */
export const Words = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words] });

/** An object of a request: unknown fields are refused. */
export const Strict = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** Path parameters of one entity. */
export const IdParams = Strict({ id: Id });

/** `version` of an update body: the version the caller has seen (rule HTTP-5). */
export const Version = Type.Integer({ minimum: 1, description: 'Version that the caller has seen.' });

/** The envelope of every list (rule HTTP-2). */
export const Page = <S extends TSchema>(item: S) =>
  Type.Object({
    items: Type.Array(item),
    page: Type.Integer(),
    size: Type.Integer(),
    total: Type.Integer({ description: 'Number of items on all pages.' }),
  });

/** Query parameters of every list; spread them into the query of a route. */
export const pageQuery = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Number of the page, from 1.' }),
  ),
  size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Number of items on a page.' }),
  ),
};

const Paging = Type.Object(pageQuery);

/** The page a query asks for, with its offset: page from 1, 50 items by default. */
export function pageOf(query: Static<typeof Paging>): { page: number; size: number; limit: number; offset: number } {
  const { page = 1, size = 50 } = query;
  return { page, size, limit: size, offset: (page - 1) * size };
}

/** Repeatable `sort=field,asc` over a closed list of fields (rule HTTP-3). */
export const sortQuery = <const F extends readonly string[]>(fields: F) => ({
  sort: Type.Optional(
    Type.Array(
      Type.Unsafe<`${F[number]},${'asc' | 'desc'}`>({
        type: 'string',
        enum: fields.flatMap((field) => [`${field},asc`, `${field},desc`]),
      }),
      { maxItems: 5, description: `Sort order, \`field,asc\` or \`field,desc\`. Fields: ${fields.join(', ')}.` },
    ),
  ),
});

/** The order a query asks for, first key first. */
export function sortOf<F extends string>(
  sort: readonly `${F},${'asc' | 'desc'}`[] | undefined,
): { field: F; direction: 'asc' | 'desc' }[] {
  return (sort ?? []).map((each) => {
    const [field, direction] = each.split(',') as [F, 'asc' | 'desc'];
    return { field, direction };
  });
}
