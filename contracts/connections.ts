import { Type, type Static } from 'typebox';
import { Id, Named, Nullable, Timestamp, Words } from './schemas.ts';

export const ConnectionState = Words(['ACTIVE', 'DISABLED']);

/** The credential has no place here: what is not in the schema cannot leave the process. */
export const Connection = Named(
  'Connection',
  Type.Object({
    id: Id,
    legalEntityId: Id,
    name: Type.String(),
    status: ConnectionState,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);
export type Connection = Static<typeof Connection>;

/** Whether requests through a connection go out, and whether the external system accepts its credential. */
export const ConnectionHealth = Type.Object({
  circuit: Words(['CLOSED', 'OPEN', 'HALF_OPEN']),
  openedAt: Nullable(Timestamp),
  openUntil: Nullable(
    Type.Unsafe<Date | string>({
      ...Timestamp,
      description: 'No request is sent before this moment. The next one tries whether the ERP works again.',
    }),
  ),
  credentialRefusedAt: Nullable(Timestamp),
  refusedEndpoints: Type.Array(Type.String()),
});
export type ConnectionHealth = Static<typeof ConnectionHealth>;
