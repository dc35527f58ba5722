import type { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { isMoment } from '../../../kernel/pure/moments.ts';
import { ANNOTATIONS } from '../../../kernel/pure/schemas.ts';

/**
 * As PostgreSQL reads it: the format of the library also takes `urn:uuid:` before it, which no
 * column does.
 */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for a text that every column of UUIDs takes. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Teaches Ajv the formats and keywords of our schemas and returns it. */
export function addOurFormats(ajv: Ajv): Ajv {
  formats.default(ajv);
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('date-time', isMoment);
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
  return ajv;
}
