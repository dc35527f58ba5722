import { Type } from 'typebox';
import { Named } from '../../../kernel/pure/schemas.ts';

/** A list as a file: CSV or JSONL. */
export const ExportSheet = Named('ExportSheet', Type.String());
