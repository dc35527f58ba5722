import { Type, type Static } from 'typebox';
import {
  Count,
  Id,
  Named,
  Nullable,
  Strict,
  Timestamp,
  Uuid,
} from '../../../kernel/pure/schemas.ts';

export const ClientForgetting = Named(
  'ClientForgetting',
  Strict({
    phone: Type.String({ minLength: 10, maxLength: 30, description: 'Phone with its country.' }),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Without the phone: the audit shows it until its time is over.',
    }),
  }),
);

export type ClientForgetting = Static<typeof ClientForgetting>;

export const PersonRequest = Named(
  'PersonRequest',
  Strict({
    ...ClientForgetting.properties,
    customerId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The account of the person, as `GET /orders` names it. It must have an order with the phone. Verify that the account is ' +
          'theirs: an order may name the phone of somebody else.',
      }),
    ),
  }),
);

export type PersonRequest = Static<typeof PersonRequest>;

export const PersonExport = Named(
  'PersonExport',
  Type.Object({
    phone: Type.String(),
    exportedAt: Timestamp,
    records: Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown())), {
      description: 'Rows by the table that stores them. Encrypted texts are in clear.',
    }),
  }),
);

export type PersonExport = Static<typeof PersonExport>;

const CardMarker = Named(
  'ClientCardMarker',
  Type.Object({
    source: Type.String({ description: 'ERP_CATEGORY or ERP_COMMENT.' }),
    isPresent: Type.Boolean({ description: 'True if the last reading found it.' }),
    seenAt: Timestamp,
    goneAt: Nullable(Timestamp),
    compensationId: Nullable(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'The right that it has given. Null for an undecided or ignored conflict.',
      }),
    ),
  }),
);

export const ClientAccount = Named(
  'ClientAccount',
  Type.Object({
    id: Uuid,
    connectionId: Id,
    connectionName: Type.String(),
    erpCustomerId: Nullable(
      Type.Unsafe<string>({ ...Uuid, description: 'Id of the customer at the ERP.' }),
    ),
    createdAt: Timestamp,
    card: Nullable(
      Named(
        'ClientCard',
        Type.Object({
          readAt: Nullable(Timestamp),
          damaged: Count,
          unknown: Count,
          withoutReward: Count,
          markers: Type.Array(CardMarker),
        }),
      ),
    ),
  }),
);

export type ClientAccount = Static<typeof ClientAccount>;

export const ForgottenClients = Named(
  'ForgottenClients',
  Type.Object({
    clientIds: Type.Array(Uuid, {
      description: 'One for each account of the external system. Empty if there is no client.',
    }),
  }),
);
