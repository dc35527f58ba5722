import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { keepPersonal, readPersonal } from './personal-data.ts';

type Deps = { secrets: SecretBox };

/** A process's code, the id of a staff text, or both. */
export type StoredReason = { reason: string | null; reasonId: string | null };

/** Rule HTTP-26. */
export type ShownReason = { reason: string | null; reasonErased: boolean };

/**
 * Encrypts a staff text, apart from ledger and audit (rule CMP-108). Requires the transaction that
 * refers to it. Retention begins with `writtenAt`, now by default.
 */
export function keepReason(tx: Sql, deps: Deps, words: string, writtenAt?: Date): Promise<string> {
  return keepPersonal(
    tx,
    deps,
    'REASON',
    { words },
    writtenAt === undefined ? {} : { createdAt: writtenAt },
  );
}

/** Reads staff texts by id, without erased ones. */
export async function readReasons(
  from: Sql,
  deps: Deps,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const stored = new Set(ids.filter((id) => id !== null));
  const found = await readPersonal<{ words: string }>(from, deps, [...stored]);
  return new Map([...found].map(([id, { words }]) => [id, words]));
}

/** Returns the staff text, otherwise the code; null if erased. */
export function shownReason(
  { reason, reasonId }: StoredReason,
  words: ReadonlyMap<string, string>,
): ShownReason {
  if (reasonId === null) return { reason, reasonErased: false };
  const text = words.get(reasonId);
  return { reason: text ?? null, reasonErased: text === undefined };
}

/** Adds reasons to rows for responses. */
export async function withReasons<R extends StoredReason>(
  from: Sql,
  deps: Deps,
  rows: readonly R[],
): Promise<(Omit<R, 'reason' | 'reasonId'> & ShownReason)[]> {
  const words = await readReasons(
    from,
    deps,
    rows.map(({ reasonId }) => reasonId),
  );
  return rows.map(({ reason, reasonId, ...row }) => ({
    ...row,
    ...shownReason({ reason, reasonId }, words),
  }));
}

/** Audit entries contain only the id of a staff text. */
type WordsReference = { wordsId: string };

/** Refers to a staff text in an audit entry. */
export const wordsReference = (id: string | null): WordsReference | null =>
  id === null ? null : { wordsId: id };

/** Returns the id in an audit value, or null. */
export const referencedWords = (value: unknown): string | null =>
  typeof value === 'object' &&
  value !== null &&
  'wordsId' in value &&
  typeof value.wordsId === 'string'
    ? value.wordsId
    : null;
