import { Type } from 'typebox';
import { listAudit } from '../../../app/audit/list-audit.ts';
import { AUDIT_ENTITIES } from '../../../contracts/audit.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, Nullable, Page, pageOf, pageQuery, Strict, Timestamp, Words } from '../../http/schemas.ts';

const Fields = Nullable(Type.Record(Type.String(), Type.Unknown()));
const AuditEntry = Type.Object({
  id: Id,
  at: Timestamp,
  actorType: Words(['USER', 'SYSTEM']),
  userId: Nullable(Id),
  userName: Nullable(Type.String({ description: 'Current name of the user.' })),
  entityType: Words(AUDIT_ENTITIES),
  entityId: Type.String(),
  action: Type.String(),
  before: Fields,
  after: Fields,
  reason: Nullable(Type.String()),
  requestId: Nullable(Type.String()),
});
const Moment = Type.String({ format: 'date-time' });

export const auditRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  summary: 'Audit',
  description: 'The audit lists every change, the newest first. Secrets and personal data are masked.',
  tags: ['Audit'],
  permission: 'audit.read',
  query: Strict({
    ...pageQuery,
    entity_type: Type.Optional(Words(AUDIT_ENTITIES)),
    entity_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Id of the changed entity, as in `entityId`.' }),
    ),
    user_id: Type.Optional(Id),
    from: Type.Optional({ ...Moment, description: 'Keeps changes from this moment on.' }),
    to: Type.Optional({ ...Moment, description: 'Keeps changes before this moment.' }),
  }),
  responses: { 200: Page(AuditEntry) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listAudit(db, {
      ...pageOf(query),
      entityType: query.entity_type,
      entityId: query.entity_id,
      userId: query.user_id,
      from: query.from,
      to: query.to,
    }),
  }),
});
