import type { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { isMoment } from '../../../kernel/pure/moments.ts';
import { ANNOTATIONS } from '../../../kernel/pure/schemas.ts';

/** PostgreSQL rejects `urn:uuid:`, which the library accepts. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true for a UUID that PostgreSQL accepts. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Adds our formats and keywords to Ajv. */
export function addOurFormats(ajv: Ajv): Ajv {
  formats.default(ajv);
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('date-time', isMoment);
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
  return ajv;
}
