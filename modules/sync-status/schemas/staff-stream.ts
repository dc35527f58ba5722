import { Type } from 'typebox';
import { Named } from '../../../kernel/pure/schemas.ts';

export const StaffEvents = Named(
  'StaffEvents',
  Type.String({
    description:
      'Messages `event`, `snapshot`, `notification`, `run`, `incident`, `busy` and `work`, each with one line of JSON in `data`.',
  }),
);
