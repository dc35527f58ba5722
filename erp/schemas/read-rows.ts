import type { Static, TSchema } from 'typebox';
import { createCheck, type Check, type OddRow } from './check.ts';

type Shape = {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
  title?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
};

type Read = { value: unknown } | { fault: string };

/** `organizationId` comes from the surrounding row. */
type Context = { odd: OddRow[]; organizationId: string | null };

/**
 * Keeps readable rows (MIR-65). Numeric strings count as numbers. Unreadable optional fields are
 * dropped, required ones get their default, and unreadable rows are omitted. A required list
 * without a readable row, or an unreadable key, makes its container unreadable.
 */
export function checkRows<S extends TSchema>(schema: S): Check<Static<S>> {
  const check = createCheck(schema);
  return (answer) => {
    const strict = check(answer);
    if ('data' in strict) return strict;
    const odd: OddRow[] = [];
    const read = readValue(schema, answer, '', { odd, organizationId: null });
    if ('fault' in read) return strict;
    const result = check(read.value);

    return 'data' in result ? { data: result.data, odd } : result;
  };
}

const typesOf = ({ type = [] }: Shape): readonly string[] =>
  typeof type === 'string' ? [type] : type;
const fault = (place: string, what: string): { fault: string } => ({ fault: `${place} ${what}` });
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Returns true for a list of objects. Lists of texts are only decoration. */
const isListOfRows = (shape: Shape): boolean =>
  typesOf(shape).includes('array') && shape.items?.type === 'object';

const READERS: Readonly<
  Record<string, (shape: Shape, value: unknown, place: string, context: Context) => Read>
> = {
  object: readObject,
  array: readList,
  string: readText,
  number: readNumber,
  integer: readNumber,
  boolean: (_shape, value, place) =>
    typeof value === 'boolean' ? { value } : fault(place, 'must be boolean'),
};

function readValue(shape: Shape, value: unknown, place: string, context: Context): Read {
  const types = typesOf(shape);
  if (value === null && types.includes('null')) return { value };
  const reader = READERS[types.find((type) => type !== 'null') ?? ''];
  return reader === undefined ? { value } : reader(shape, value, place, context);
}

function readObject(
  { properties = {}, required = [] }: Shape,
  value: unknown,
  place: string,
  context: Context,
): Read {
  if (!isObject(value)) return fault(place, 'must be object');
  const { odd } = context;
  const organizationId = readOrganizationId(value) ?? context.organizationId;
  const clean = { ...value };

  for (const [name, shape] of Object.entries(properties)) {
    const isRequired = required.includes(name);
    const at = place === '' ? name : `${place}.${name}`;
    if (value[name] === undefined && !isRequired) continue;
    const read =
      value[name] === undefined
        ? fault(at, 'is missing')
        : readValue(shape, value[name], at, { odd, organizationId });

    if ('value' in read) clean[name] = read.value;
    else if (isRequired && shape.default !== undefined) {
      clean[name] = shape.default;
      odd.push({ place: at, fault: read.fault, organizationId });
    } else if (isRequired || place === '' || shape.title === 'Key') return read;
    else {
      delete clean[name];
      odd.push({ place: at, fault: read.fault, organizationId });
    }
  }

  return { value: clean };
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function readOrganizationId(row: unknown): string | null {
  const id = isObject(row) ? row['organizationId'] : null;
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : null;
}

function readList(shape: Shape, value: unknown, place: string, context: Context): Read {
  if (!Array.isArray(value)) return fault(place, 'must be array');
  const rows = value.flatMap((row: unknown, index) => {
    const at = `${place}.${index}`;
    const read = readValue(shape.items ?? {}, row, at, context);
    if ('value' in read) return [read.value];
    const organizationId = readOrganizationId(row) ?? context.organizationId;
    context.odd.push({ place: at, fault: read.fault, organizationId });

    return [];
  });

  const isLost = rows.length === 0 && value.length > 0 && isListOfRows(shape);

  return isLost ? fault(place, 'has no readable row') : { value: rows };
}

function readText({ title, pattern }: Shape, value: unknown, place: string): Read {
  // Some deployments send menu and category ids as numbers, never UUIDs.
  const isPlain =
    typeof value === 'number' &&
    (pattern === undefined || (title === 'Id' && Number.isSafeInteger(value)));
  const text = isPlain ? String(value) : value;
  if (typeof text !== 'string') return fault(place, 'must be string');

  return pattern === undefined || new RegExp(pattern).test(text)
    ? { value: text }
    : fault(place, `must match pattern "${pattern}"`);
}

const PLAIN_NUMBER = /^[+-]?\d{1,15}(\.\d+)?$/;

function readNumber({ type, minimum, maximum }: Shape, value: unknown, place: string): Read {
  const number =
    typeof value === 'string' && PLAIN_NUMBER.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return fault(place, 'must be number');
  if (typesOf({ type: type ?? [] }).includes('integer') && !Number.isInteger(number))
    return fault(place, 'must be integer');
  const fits = number >= (minimum ?? -Infinity) && number <= (maximum ?? Infinity);

  return fits ? { value: number } : fault(place, 'is out of range');
}
