import { Type, type Static } from 'typebox';
import {
  Id,
  Named,
  Nullable,
  NullableText,
  ReasonErased,
  Timestamp,
  Words,
} from '../../../kernel/pure/schemas.ts';

export const AUDIT_ENTITIES = [
  'api-key',
  'badge',
  'binding-incident',
  'busy-mode',
  'category',
  'category-tree',
  'compensation',
  'compensation-candidate',
  'compensation-client',
  'compensation-conflict',
  'unauthorized-gift',
  'gift-day',
  'composition-rule',
  'connection',
  'delivery-zone',
  'discount',
  'erp-item',
  'expectation-rule',
  'export',
  'external-menu',
  'franchisee',
  'guest-notice',
  'import-pause',
  'legal-entity',
  'media',
  'modifier',
  'modifier-group',
  'notification',
  'webhook-delivery',
  'webhook-endpoint',
  'order',
  'order-sending',
  'organization-ordering',
  'organization-schedule',
  'payment-method',
  'product',
  'promocode',
  'reward',
  'role',
  'schedule-exception',
  'service-roles',
  'setting',
  'signing-key',
  'snapshot',
  'sync-run',
  'user',
  'variant',
  'variant-axis',
  'variant-option',
  'zone-override',
] as const;

export type AuditEntity = (typeof AUDIT_ENTITIES)[number];

const Fields = Nullable(Type.Record(Type.String(), Type.Unknown()));

/** Secret and personal fields are masked. */
export const AuditEntry = Named(
  'AuditEntry',
  Type.Object({
    id: Id,
    at: Timestamp,
    actorType: Words(['USER', 'SYSTEM']),
    actor: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'The process that acted; null for a user.',
    }),
    userId: Nullable(Id),
    userName: Nullable(Type.String({ description: 'Current name of the user or API key.' })),
    apiKeyId: Type.Unsafe<number | null>({
      ...Nullable(Id),
      description: 'The API key that acted; then `userId` is the same number.',
    }),
    entityType: Words(AUDIT_ENTITIES),
    entityId: Type.String(),
    action: Type.String(),
    before: Fields,
    after: Fields,
    reason: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'Words of staff, or the code of a process; null when the words were erased.',
    }),
    reasonErased: ReasonErased,
    requestId: NullableText,
  }),
);

export type AuditEntry = Static<typeof AuditEntry>;
