import { Type, type Static } from 'typebox';
import { Named, Strict, Timestamp, Uuid } from '../../../kernel/pure/schemas.ts';

/** A request for erasure. */
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

/** A request for the stored data of a person. */
export const PersonRequest = Named('PersonRequest', Strict({ ...ClientForgetting.properties }));
export type PersonRequest = Static<typeof PersonRequest>;

/** Everything that is stored about a person. */
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

/** The forgotten clients. */
export const ForgottenClients = Named(
  'ForgottenClients',
  Type.Object({
    clientIds: Type.Array(Uuid, {
      description: 'One for each account of the external system. Empty if there is no client.',
    }),
  }),
);
