import { Type } from 'typebox';
import { Named } from '../../../kernel/pure/schemas.ts';

/** The text of a stream of staff. */
export const StaffEvents = Named(
  'StaffEvents',
  Type.String({
    description:
      'Messages `event`, `snapshot`, `notification`, `run`, `incident`, `busy` and `work`, each with one line of JSON in `data`.',
  }),
);
