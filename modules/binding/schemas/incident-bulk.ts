import { Type, type Static } from 'typebox';
import { Id, Named, OrganizationId, Strict, Words } from '../../../kernel/pure/schemas.ts';
import {
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
} from '../rules/incident-states.ts';
import { NOTE_LENGTH } from '../rules/operator-moves.ts';

export const INCIDENT_BULK_LIMIT = 500;

export const IncidentBulk = Named(
  'IncidentBulk',
  Strict({
    incidentIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: INCIDENT_BULK_LIMIT })),
    filter: Type.Optional(
      Named(
        'IncidentFilter',
        Strict({
          type: Type.Optional(Words(INCIDENT_TYPES)),
          status: Type.Optional(Words(INCIDENT_STATUSES)),
          severity: Type.Optional(Words(INCIDENT_SEVERITIES)),
          productId: Type.Optional(Id),
          organizationId: Type.Optional(OrganizationId),
          runId: Type.Optional(Id),
        }),
      ),
    ),
    action: Words(['DISMISS', 'SNOOZE']),
    note: Type.Optional(
      Type.String({ minLength: 1, maxLength: NOTE_LENGTH, description: 'Required for DISMISS.' }),
    ),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Required for SNOOZE.' })),
    dryRun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True to get the result without changing anything.',
      }),
    ),
  }),
);

export type IncidentBulk = Static<typeof IncidentBulk>;

export const IncidentBulkResult = Named(
  'IncidentBulkResult',
  Type.Object({
    succeeded: Type.Array(Id),
    failed: Type.Array(
      Named(
        'IncidentFailure',
        Type.Object({
          id: Id,
          reason: Type.Unsafe<'NOT_FOUND' | 'CLOSED'>({
            ...Words(['NOT_FOUND', 'CLOSED']),
            description: 'CLOSED: the incident is closed in another way.',
          }),
        }),
      ),
    ),
  }),
);

export type IncidentBulkResult = Static<typeof IncidentBulkResult>;
