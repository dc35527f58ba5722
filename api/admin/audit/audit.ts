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
  userName: Nullable(Type.String({ description: 'As of now' })),
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
  description: 'Every change, newest first. Secret and personal fields are masked.',
  tags: ['Audit'],
  permission: 'audit.read',
  query: Strict({
    ...pageQuery,
    entity_type: Type.Optional(Words(AUDIT_ENTITIES)),
    entity_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'As in `entityId`' })),
    user_id: Type.Optional(Id),
    from: Type.Optional({ ...Moment, description: 'This moment and later' }),
    to: Type.Optional({ ...Moment, description: 'Before this moment' }),
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
