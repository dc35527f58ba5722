import type { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { ANNOTATIONS } from '../../kernel/pure/schemas.ts';

/**
 * As PostgreSQL reads it: the format of the library also takes `urn:uuid:` before it, which no
 * column does.
 */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for a text that every column of UUIDs takes. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const isDateTime = formats.default.get('date-time') as { validate: (text: string) => boolean };
/** The zones of the Earth; PostgreSQL rejects some of those beyond. */
const ZONE = /(?:z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/i;

/** Within these a moment has a year of four digits in every zone. */
const [FIRST_MOMENT, LAST_MOMENT] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')];

/**
 * A moment that the language and the database parse equally: the library also takes a leap second,
 * the year 0 and any zone.
 */
function isMoment(text: string): boolean {
  const moment = isDateTime.validate(text) && ZONE.test(text) ? Date.parse(text) : Number.NaN;
  return moment >= FIRST_MOMENT && moment < LAST_MOMENT;
}

/** Teaches Ajv the formats and keywords of our schemas and returns it. */
export function addOurFormats(ajv: Ajv): Ajv {
  formats.default(ajv);
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('date-time', isMoment);
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
  return ajv;
}
