import { Type, type Static } from 'typebox';
import {
  Id,
  Named,
  Nullable,
  OrganizationId,
  Strict,
  Timestamp,
} from '../../../kernel/pure/schemas.ts';

const ExtraMinutes = Type.Integer({
  minimum: 5,
  maximum: 180,
  description: 'Minutes that an order takes longer.',
});

export const BusyMode = Named(
  'BusyMode',
  Type.Object({
    organizationId: Id,
    extraMinutes: Type.Unsafe<number | null>({
      ...Nullable(Type.Integer()),
      description: 'Minutes that an order takes longer; null while no busy mode is active.',
    }),
    until: Nullable(Timestamp),
    updatedAt: Nullable(Timestamp),
  }),
);

export type BusyMode = Static<typeof BusyMode>;

export const BusyModeEdit = Named(
  'BusyModeEdit',
  Strict({
    extraMinutes: ExtraMinutes,
    until: Type.String({
      pattern:
        '^(([01][0-9]|2[0-3]):[0-5][0-9]|20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2}))$',
      description:
        'The end: `HH:MM` is the next such time on the clock of the organization, at most 12 hours ahead; ' +
        '`2026-12-31T21:00:00+03:00` is a moment, at most 24 hours ahead.',
    }),
  }),
);

export type BusyModeEdit = Static<typeof BusyModeEdit>;

export const BusyModesEdit = Named(
  'BusyModesEdit',
  Strict({
    ...BusyModeEdit.properties,
    organizationIds: Type.Optional(
      Type.Array(OrganizationId, {
        minItems: 1,
        maxItems: 1_000,
        uniqueItems: true,
        description: 'All if absent.',
      }),
    ),
  }),
);

export type BusyModesEdit = Static<typeof BusyModesEdit>;

export const BusyModeList = Named('BusyModeList', Type.Object({ items: Type.Array(BusyMode) }));
export type BusyModeList = Static<typeof BusyModeList>;
