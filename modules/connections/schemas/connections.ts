import { Author } from '../../access/schemas/author.ts';
import { Type, type Static } from 'typebox';
import {
  Id,
  Named,
  Nullable,
  Strict,
  Timestamp,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';

export const ConnectionState = Named('ConnectionState', Words(['ACTIVE', 'DISABLED']));

/** Has no credential, and values outside of the schema are never sent. */
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

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the connection. It must not contain the credential.',
});

const ApiLogin = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Credential of the account in the ERP. It is never shown again.',
});

export const NewConnection = Named(
  'NewConnection',
  Strict({ legalEntityId: Id, name: Name, apiLogin: ApiLogin }),
);

export type NewConnection = Static<typeof NewConnection>;

export const ConnectionEdit = Named('ConnectionEdit', Strict({ version: Version, name: Name }));
export type ConnectionEdit = Static<typeof ConnectionEdit>;

export const ApiLoginEdit = Named(
  'ApiLoginEdit',
  Strict({ version: Type.Optional(Version), apiLogin: ApiLogin }),
);

export type ApiLoginEdit = Static<typeof ApiLoginEdit>;

const circuit = {
  circuit: Named('CircuitState', Words(['CLOSED', 'OPEN', 'HALF_OPEN'])),
  openedAt: Nullable(Timestamp),
  openUntil: Nullable(
    Type.Unsafe<Date | string>({
      ...Timestamp,
      description:
        'No request is sent before this moment. The next one tries whether the ERP works again.',
    }),
  ),
};

export const CircuitHealth = Type.Object({
  group: Words(['TOKENS', 'ORDERS', 'LOYALTY', 'ADDRESSES', 'MENUS']),
  ...circuit,
});

export type CircuitHealth = Static<typeof CircuitHealth>;

/** `circuit`, `openedAt` and `openUntil` describe the worst circuit. */
export const ConnectionHealth = Type.Object({
  ...circuit,
  circuits: Type.Array(CircuitHealth, { description: 'One circuit for each group of endpoints.' }),
  credentialRefusedAt: Nullable(Timestamp),
  refusedEndpoints: Type.Array(Type.String()),
});

export type ConnectionHealth = Static<typeof ConnectionHealth>;

export const WebhookSecret = Named(
  'WebhookSecret',
  Type.Object({ id: Id, createdAt: Timestamp, createdBy: Nullable(Author) }),
);

export type WebhookSecret = Static<typeof WebhookSecret>;

/** The secret is shown only once. */
export const NewWebhookSecret = Named(
  'NewWebhookSecret',
  Type.Object({
    id: Id,
    createdAt: Timestamp,
    createdBy: Nullable(Author),
    secret: Type.String({
      description: 'To be set at the external system. It is not shown again.',
    }),
  }),
);

export type NewWebhookSecret = Static<typeof NewWebhookSecret>;
