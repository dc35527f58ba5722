import { Type, type Static } from 'typebox';
import { CHANNELS } from '../../delivery/rules/schedule.ts';
import {
  Codes,
  Count,
  Id,
  Named,
  Nullable,
  NullableText,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';
import { READINESS_ITEMS } from '../rules/readiness.ts';

const Moment = Nullable(Timestamp);

const Intake = Named(
  'OverviewIntake',
  Type.Object({
    enabled: Type.Boolean({ description: 'The switch of staff.' }),
    accepting: Type.Boolean(),
    reason: Nullable(Codes('NotAcceptingReason')),
    until: Type.Unsafe<Date | string | null>({
      ...Moment,
      description: 'Moment until which the restaurant accepts orders, or from which it does again.',
    }),
  }),
);

const OrganizationOverview = Named(
  'OrganizationOverview',
  Type.Object({
    organizationId: Id,
    erpId: Uuid,
    name: Type.String(),
    phone: NullableText,
    timeZone: Type.String(),
    open: Type.Boolean({
      description: 'True if the restaurant is open, independent of order intake.',
    }),
    nextChangeAt: Moment,
    delivery: Intake,
    pickup: Intake,
    busy: Nullable(Type.Object({ extraMinutes: Type.Integer(), until: Timestamp })),
    intakeStops: Type.Array(
      Type.Object({ channel: Nullable(Words(CHANNELS)), from: Timestamp, to: Moment }),
      {
        description: 'Stops of intake that are active at the moment.',
      },
    ),
    stoppedItems: Type.Unsafe<number>({ ...Count, description: 'Items in the stop-list.' }),
    menu: Nullable(
      Type.Object({ revision: Type.Integer(), ageSeconds: Count, dirtySince: Moment }),
    ),
    terminals: Type.Object({ awake: Count, total: Count }),
    openOrders: Type.Unsafe<number>({
      ...Count,
      description: 'Orders of guests that have not ended.',
    }),
    missing: Type.Array(Words(READINESS_ITEMS), {
      description: 'Items without which guests cannot order; empty for a ready restaurant.',
    }),
  }),
);

export type OrganizationOverview = Static<typeof OrganizationOverview>;

export const Overview = Named(
  'OrganizationsOverview',
  Type.Object({ at: Timestamp, organizations: Type.Array(OrganizationOverview) }),
);

export type Overview = Static<typeof Overview>;

export const Readiness = Named(
  'Readiness',
  Type.Object({
    organizationId: Id,
    isReady: Type.Boolean({
      description: 'True if guests can order. A test order is not required.',
    }),
    checklist: Type.Array(
      Type.Object({
        code: Words(READINESS_ITEMS),
        title: Type.String({ description: 'Title in the language of `Accept-Language`.' }),
        isDone: Type.Boolean(),
        next: Type.Unsafe<string | null>({
          ...NullableText,
          description: 'Operation that completes the item.',
        }),
      }),
    ),
  }),
);

export type Readiness = Static<typeof Readiness>;
