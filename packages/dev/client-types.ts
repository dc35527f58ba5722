import { DECIMAL_PLACES, OPEN_ENUM } from '../../api/http/documents/document-schemas.ts';

export type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  not?: Schema;
  anyOf?: readonly Schema[];
  items?: Schema;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  [limit: string]: unknown;
};

export type Schemas = Readonly<Record<string, Schema>>;

const LIMITS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'default',
];

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'Uuid',
  'date-time': 'DateTime',
  binary: 'File',
};

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Returns the declaration of a named schema. `limits` adds limits to the comments of fields;
 * `isSent` allows undefined for optional fields.
 */
export function writeDeclaration(
  name: string,
  schema: Schema,
  limits: boolean,
  isSent = limits,
): string {
  const comment = writeComment(schema, false);
  const { properties = {} } = schema;
  const page = writePageType(schema);
  if (Object.keys(properties).length === 0 || page !== undefined || schema.anyOf !== undefined)
    return `${comment}export type ${name} = ${page ?? writeType(schema, limits, isSent)};`;
  const { page: number, size, ...rest } = properties;
  const isPaged = number !== undefined && size !== undefined && rest['items'] === undefined;
  const fields = writeType(isPaged ? { ...schema, properties: rest } : schema, limits, isSent);
  if (isPaged && Object.keys(rest).length === 0) return `${comment}export type ${name} = Paging;`;

  return `${comment}export interface ${name} ${isPaged ? 'extends Paging ' : ''}${fields}`;
}

function writePageType({ properties = {} }: Schema): string | undefined {
  const isPage = Object.keys(properties).toSorted().join() === 'items,page,size,total';
  return isPage ? `Page<${writeType(properties['items']!.items!, false)}>` : undefined;
}

export function writeType(schema: Schema, limits: boolean, isSent = limits): string {
  const { $ref, type = '', anyOf, items, properties = {}, patternProperties, format = '' } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (anyOf !== undefined)
    return anyOf.map((entry) => writeType(entry, limits, isSent)).join(' | ');
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema[OPEN_ENUM] !== undefined)
    return [
      ...(schema[OPEN_ENUM] as string[]).map((value) => JSON.stringify(value)),
      '(string & {})',
    ].join(' | ');

  if (schema.not?.enum !== undefined) return 'OtherCode';
  if (items !== undefined) return `(${writeType(items, limits, isSent)})[]`;
  if (Object.keys(properties).length > 0) return writeFields(schema, limits, isSent);
  const [values] = Object.values(patternProperties ?? {});
  if (type === 'object')
    return `Record<string, ${values === undefined ? 'unknown' : writeType(values, limits)}>`;
  if (schema[DECIMAL_PLACES] === 2) return 'Money';

  return FORMATS[format] ?? PRIMITIVES[type] ?? 'unknown';
}

function writeFields(
  { properties = {}, required = [] }: Schema,
  limits: boolean,
  isSent: boolean,
): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const type = writeType(field, limits, isSent);
    if (required.includes(name)) return `${writeComment(field, limits)}${key}: ${type};`;
    const mayBeUndefined = isSent && type !== 'unknown';
    return `${writeComment(field, limits)}${key}?: ${type}${mayBeUndefined ? ' | undefined' : ''};`;
  });

  return `{\n${fields.join('\n')}\n}`;
}

function writeComment(schema: Schema, limits: boolean): string {
  const description = ofValue(schema, 'description');
  const parts = [
    ...(description === undefined ? [] : [description]),
    ...(ofValue(schema, 'format') === 'date' ? ['@format date'] : []),
    ...(limits ? LIMITS.flatMap((limit) => limitIn(schema, limit)) : []),
  ];

  return parts.length === 0
    ? ''
    : `/** ${parts.map(String).join(' ').replaceAll('*/', '*\\/')} */\n`;
}

/** Returns a keyword of a schema, or of the first alternative with it (nullable values). */
const ofValue = (schema: Schema, keyword: string): unknown =>
  [schema, ...(schema.anyOf ?? [])].find((entry) => entry[keyword] !== undefined)?.[keyword];

/** The largest JSON number means no limit. */
function limitIn(schema: Schema, limit: string): string[] {
  const value = ofValue(schema, limit);
  return value === undefined || value === Number.MAX_SAFE_INTEGER
    ? []
    : [`@${limit} ${JSON.stringify(value)}`];
}
