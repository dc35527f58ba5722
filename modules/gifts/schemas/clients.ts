import { Type, type Static } from 'typebox';
import { Named, Strict, Uuid } from '../../../kernel/pure/schemas.ts';

/** Somebody asks to be forgotten. */
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

/** The forgotten clients. */
export const ForgottenClients = Named(
  'ForgottenClients',
  Type.Object({
    clientIds: Type.Array(Uuid, {
      description: 'One for each account of the external system; none when nobody is known.',
    }),
  }),
);
