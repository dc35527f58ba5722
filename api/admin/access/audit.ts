import { Type } from 'typebox';
import { listAudit } from '../../../modules/access/audit/list-audit.ts';
import { AUDIT_ENTITIES, AuditEntry } from '../../../modules/access/schemas/audit.ts';
import { CursorPage, Id, Strict, Words } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { cursorQuery, sortQuery, toCursorPage } from '../../http/schemas.ts';

const Moment = Type.String({ format: 'date-time' });

export const auditRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  summary: 'Audit',
  description:
    'The audit lists every change, the newest first. Secrets and personal data are masked. Texts of staff ' +
    'about persons are part of it until they are erased: then `reasonErased` is true.',
  tags: ['Audit'],
  permission: 'audit.read',
  query: Strict({
    ...cursorQuery,
    ...sortQuery(['at', 'action', 'entityType', 'actorType']),
    entity_type: Type.Optional(Words(AUDIT_ENTITIES)),
    entity_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Id of the changed entity, as in `entityId`.',
      }),
    ),
    user_id: Type.Optional(Id),
    from: Type.Optional({ ...Moment, description: 'Keeps changes from this moment on.' }),
    to: Type.Optional({ ...Moment, description: 'Keeps changes before this moment.' }),
  }),
  responses: { 200: CursorPage(AuditEntry) },
  handler: async ({ query }, deps) => ({
    status: 200,
    body: await listAudit(deps, {
      ...toCursorPage(query),
      entityType: query.entity_type,
      entityId: query.entity_id,
      userId: query.user_id,
      from: query.from,
      to: query.to,
    }),
  }),
});
