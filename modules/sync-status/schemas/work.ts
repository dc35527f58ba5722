import { Type, type Static } from 'typebox';
import { Count, Named, Nullable, Timestamp, Words } from '../../../kernel/pure/schemas.ts';

/** Kinds in the order of the response (OPS-198). */
export const WORK_KINDS = [
  'ORDERS_NOT_AT_ERP',
  'ORDERS_FAILED',
  'INCIDENTS_CRITICAL',
  'INCIDENTS_INFO',
  'IMPORTS_HELD_BACK',
  'GIFT_CANDIDATES',
  'GIFT_CONFLICTS',
  'GIFTS_UNAUTHORIZED',
  'NEW_DISHES',
  'NOTIFICATIONS',
  'WEBHOOK_ENDPOINTS_DISABLED',
] as const;

export type WorkKind = (typeof WORK_KINDS)[number];

const OpenWork = Named(
  'OpenWork',
  Type.Object({
    kind: Words(WORK_KINDS),
    count: Count,
    oldestAt: Type.Unsafe<Date | string | null>({
      ...Nullable(Timestamp),
      description: 'Moment since which the oldest one is open; null if there is none.',
    }),
    oldestAgeSeconds: Type.Unsafe<number | null>({
      ...Nullable(Count),
      description: 'Age of the oldest one.',
    }),
  }),
);

/** Contains only kinds that the caller may read. */
export const Work = Named('Work', Type.Object({ kinds: Type.Array(OpenWork) }));
export type Work = Static<typeof Work>;
