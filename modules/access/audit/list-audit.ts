import { sql } from 'kysely';
import type { AuditEntity, AuditEntry } from '../schemas/audit.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readReasons, referencedWords, shownReason } from '../customers/staff-reasons.ts';
import {
  readCursorPage,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../../kernel/cursor-pages.ts';
import { omitUndefined } from '../../../kernel/pages.ts';

export type AuditFilter = CursorPaging & {
  entityType?: AuditEntity | undefined;
  entityId?: string | undefined;
  userId?: number | undefined;
  /** Inclusive; `to` is exclusive. */
  from?: string | undefined;
  to?: string | undefined;
};

/** In entries of earlier releases, the reason is the name of the process. */
const HAS_NAME_AS_REASON = sql<boolean>`(entry.actor_type = 'SYSTEM' and entry.actor_name is null
  and entry.reason ~ '^([a-z]+(-[a-z]+)*|Temporal: .*)$')`;

const ORDER: ListOrder = {
  own: [
    { field: 'at', direction: 'desc' },
    { field: 'id', direction: 'desc' },
  ],
  columns: {
    at: 'entry.at',
    id: 'entry.id',
    action: 'entry.action',
    entityType: 'entry.entityType',
    actorType: 'entry.actorType',
  },
};

/** Lists audit entries, newest first. Erased staff texts are null (rule HTTP-26). */
export async function listAudit(
  { db: source, secrets }: { db: Sql; secrets: SecretBox },
  { entityType, entityId, userId, from, to, ...paging }: AuditFilter,
): Promise<CursorPage<AuditEntry>> {
  const query = source.db.selectFrom('audit_entry as entry').where((eb) =>
    eb.and([
      eb.and(
        omitUndefined({
          'entry.entityType': entityType,
          'entry.entityId': entityId,
          'entry.actorId': userId,
        }),
      ),
      ...(from === undefined ? [] : [eb('entry.at', '>=', sql<Date>`${from}::timestamptz`)]),
      ...(to === undefined ? [] : [eb('entry.at', '<', sql<Date>`${to}::timestamptz`)]),
    ]),
  );

  const entries = query
    .leftJoin('access_user as user', 'user.id', 'entry.actorId')
    .leftJoin('access_api_key as key', 'key.id', 'entry.actorId')
    .select([
      'entry.id',
      'entry.at',
      'entry.actorType',
      'entry.actorId as userId',
      'user.fullName as userName',
      'key.id as apiKeyId',
    ])
    .select(['entry.entityType', 'entry.entityId', 'entry.action', 'entry.before', 'entry.after'])
    .select(['entry.requestId', 'entry.reasonId'])
    .select([
      sql<
        string | null
      >`case when ${HAS_NAME_AS_REASON} then entry.reason else entry.actor_name end`.as('actor'),
      sql<string | null>`case when not ${HAS_NAME_AS_REASON} then entry.reason end`.as('reason'),
    ]);

  const { items, ...page } = await readCursorPage(source, entries, paging, ORDER, query);
  const words = await readReasons(
    source,
    { secrets },
    items.flatMap(({ reasonId, before, after }) => [
      reasonId,
      ...wordsIn(before),
      ...wordsIn(after),
    ]),
  );

  return {
    ...page,
    items: items.map(({ reason, reasonId, before, after, ...entry }) => ({
      ...entry,
      ...shownReason({ reason, reasonId }, words),
      before: withWords(before, words),
      after: withWords(after, words),
    })),
  };
}

type Fields = Record<string, unknown> | null;

const wordsIn = (fields: Fields): (string | null)[] =>
  Object.values(fields ?? {}).map(referencedWords);

function withWords(fields: Fields, words: ReadonlyMap<string, string>): Fields {
  if (fields === null) return null;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const id = referencedWords(value);
      return [name, id === null ? value : (words.get(id) ?? null)];
    }),
  );
}
