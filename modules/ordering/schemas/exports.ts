import { Type } from 'typebox';
import { Named } from '../../../kernel/pure/schemas.ts';

/** CSV or JSONL. */
export const ExportSheet = Named('ExportSheet', Type.String());
