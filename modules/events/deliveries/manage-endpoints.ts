import { sql } from 'kysely';
import type { Actor } from '../../../kernel/actor.ts';
import { holdForEdit, insertRow, removeRow, saveEdit } from '../../../kernel/edits.ts';
import { onceSealed, type Idempotency } from '../../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { requireOrganizations } from '../../../kernel/require-organizations.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { namesPrivateHost } from '../../../platform/public-address.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { resolveNotification } from '../../notifications/raise-notification.ts';
import type { NotificationKind } from '../../notifications/schemas/notifications.ts';
import { numberEvents } from '../number-events.ts';
import type {
  NewWebhookEndpoint,
  WebhookEndpoint as EndpointView,
  WebhookEndpointEdit,
  WebhookEndpointWithSecret,
} from '../schemas/webhooks.ts';
import { WebhookEndpoint } from '../tables/webhooks.ts';
import { newSecret, WEBHOOK_SECRET_PURPOSE } from './webhook-message.ts';
import { attemptEndpointNow } from './webhook-queue.ts';

/** `allowsPrivateReceivers` also permits http URLs. */
export type EndpointDeps = { db: Database; secrets: SecretBox; allowsPrivateReceivers: boolean };

/** Overlap with the former secret (rule EVT-9). */
const FORMER_SECRET_HOURS = 24;
/** More would multiply the deliveries of each event. */
const MOST_ENDPOINTS = 200;

/** Notifications that are resolved with the endpoint. */
const ENDPOINT_NOTIFICATIONS = [
  'WEBHOOK_ENDPOINT_DISABLED',
  'WEBHOOK_EVENTS_REFUSED',
  'WEBHOOK_EVENT_FAILED',
] as const satisfies readonly NotificationKind[];

function readEndpoints({ db }: Sql) {
  return db.selectFrom('webhook_endpoint').select([
    'id',
    'url',
    'types',
    'organizationIds',
    'description',
    'isEnabled',
    'disabledReason',
    'createdAt',
    'updatedAt',
    'version',
    WAITING.as('waiting'),
    sql<number>`(select count(*) from webhook_delivery
                    where endpoint_id = webhook_endpoint.id and failed_at is not null)`.as(
      'failed',
    ),
  ]);
}

/** Waiting events are not counted beyond this number. */
const MOST_WAITING = 10_000;

/** Includes events without a delivery, such as those of a disabled endpoint. */
const WAITING = sql<number>`(
  select count(*) from (
    (select 1 from webhook_delivery where endpoint_id = webhook_endpoint.id and is_pending limit ${MOST_WAITING})
    union all
    (select 1 from public_event event
      where event.id > read_to and (types = '{}' or event.type = any (types))
        and (organization_ids = '{}' or event.organization_id = any (organization_ids)) limit ${MOST_WAITING})
    limit ${MOST_WAITING}) as waiting)`;

/** Lists endpoints. Secrets cannot be read. */
export function listEndpoints(from: Sql, paging: Paging): Promise<Page<EndpointView>> {
  return readPage(readEndpoints(from).orderBy('id'), paging);
}

/** Problem `not-found`. */
export function getEndpoint(from: Sql, id: number): Promise<EndpointView> {
  return readEndpoints(from)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}

/**
 * Creates an endpoint for future events. Only this response and repetitions with the same key
 * contain the secret (rule EVT-7). Problems: validation, invalid-transition if there are 200
 * endpoints.
 */
export async function createEndpoint(
  { db, secrets, allowsPrivateReceivers }: EndpointDeps,
  actor: Actor,
  input: NewWebhookEndpoint,
  idempotency: Idempotency | null = null,
): Promise<WebhookEndpointWithSecret> {
  requireReceiver(input.url, allowsPrivateReceivers);
  await requireOrganizations(db, input.organizationIds);
  await numberEvents(db);

  return db.transaction((tx) =>
    onceSealed(tx, secrets, idempotency, async () => {
      const { count, id, last } = await tx.db
        .selectNoFrom([
          sql<number>`(select count(*) from webhook_endpoint)`.as('count'),
          sql<number>`nextval(pg_get_serial_sequence('webhook_endpoint', 'id'))`.as('id'),
          sql<number>`(select coalesce(max(id), 0) from public_event)`.as('last'),
        ])
        .executeTakeFirstOrThrow();

      if (count >= MOST_ENDPOINTS)
        throw new Problem('invalid-transition', {
          detail: `There are ${MOST_ENDPOINTS} endpoints. Delete one first.`,
        });

      const secret = newSecret();
      await insertRow(tx, WebhookEndpoint, {
        id,
        url: input.url,
        types: input.types ?? [],
        organizationIds: input.organizationIds ?? [],
        description: input.description ?? null,
        isEnabled: input.isEnabled ?? true,
        secretEncrypted: secrets.seal(WEBHOOK_SECRET_PURPOSE, id, secret),
        readTo: last,
      });

      const view = await getEndpoint(tx, id);
      await audit(tx, actor, id, 'create', { after: audited(view) });

      return { ...view, secret };
    }),
  );
}

/**
 * Changes an endpoint. Enabling it or changing its URL makes waiting events due at once (rule
 * EVT-38). Problems: not-found, version-conflict, validation.
 */
export async function editEndpoint(
  { db, allowsPrivateReceivers }: EndpointDeps,
  actor: Actor,
  { id, version, ...change }: WebhookEndpointEdit & { id: number },
): Promise<EndpointView> {
  if (change.url !== undefined) requireReceiver(change.url, allowsPrivateReceivers);
  return db.transaction(async (tx) => {
    const row = await holdForEdit(tx, WebhookEndpoint, id, { seen: version });
    await requireOrganizations(tx, change.organizationIds);
    const before = await getEndpoint(tx, id);
    const isChanged = (name: keyof typeof change) =>
      change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(before[name]);
    const changed = Object.fromEntries(
      (Object.keys(change) as (keyof typeof change)[])
        .filter(isChanged)
        .map((name) => [name, change[name]]),
    ) as typeof change;

    const enables = changed.isEnabled === true;
    const saved = await saveEdit(tx, row, {
      ...changed,
      ...(enables ? { disabledReason: null } : {}),
    });
    if (saved === null) return before;

    if (enables || changed.url !== undefined) await attemptEndpointNow(tx, id);
    if (enables) await resolveNotification(tx, 'WEBHOOK_ENDPOINT_DISABLED', 'webhook-endpoint', id);
    const after = await getEndpoint(tx, id);
    await audit(tx, actor, id, 'update', { before: audited(before), after: audited(after) });

    return after;
  });
}

/** Deletes an endpoint with its deliveries. Problem `not-found`. */
export async function deleteEndpoint(
  { db }: Pick<EndpointDeps, 'db'>,
  actor: Actor,
  id: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await holdForEdit(tx, WebhookEndpoint, id);
    const before = await getEndpoint(tx, id);
    await removeRow(tx, row);
    for (const kind of ENDPOINT_NOTIFICATIONS)
      await resolveNotification(tx, kind, 'webhook-endpoint', id);
    await audit(tx, actor, id, 'delete', { before: audited(before) });
  });
}

/**
 * Returns a new secret. For 24 hours, messages are signed with both secrets (rule EVT-9). Problem
 * `not-found`.
 */
export function rotateEndpointSecret(
  { db, secrets }: Pick<EndpointDeps, 'db' | 'secrets'>,
  actor: Actor,
  id: number,
  idempotency: Idempotency | null = null,
): Promise<WebhookEndpointWithSecret> {
  return db.transaction((tx) =>
    onceSealed(tx, secrets, idempotency, async () => {
      const row = await holdForEdit(tx, WebhookEndpoint, id);
      const secret = newSecret();
      await saveEdit(tx, row, {
        formerSecretEncrypted: row.secretEncrypted,
        formerSecretUntil: new Date(Date.now() + FORMER_SECRET_HOURS * 3_600_000),
        secretEncrypted: secrets.seal(WEBHOOK_SECRET_PURPOSE, id, secret),
      });

      await audit(tx, actor, id, 'rotate-secret', {});

      return { ...(await getEndpoint(tx, id)), secret };
    }),
  );
}

/** Host names are checked again at each connection (rule EVT-13). */
function requireReceiver(text: string, allowsPrivate: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !(url.protocol === 'https:' || (allowsPrivate && url.protocol === 'http:')))
    throw invalidField('url', 'invalid', 'Must be an https URL');
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw invalidField('url', 'invalid', 'Must have no user name, password or fragment');
  if (!allowsPrivate && namesPrivateHost(url))
    throw invalidField('url', 'invalid', 'Must be a public address');
}

/** Excludes path and query, which may contain a secret. */
const audited = ({ url, types, organizationIds, description, isEnabled }: EndpointView) => ({
  host: new URL(url).host,
  // Masked because of its name, so audit entries show only whether it changed (rule ACC-25).
  secretPath: new URL(url).pathname + new URL(url).search,
  types,
  organizationIds,
  description,
  isEnabled,
});

function audit(
  tx: Tx,
  actor: Actor,
  entityId: number,
  action: string,
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> {
  return recordAudit(tx, actor, { entityType: 'webhook-endpoint', entityId, action, ...change });
}
