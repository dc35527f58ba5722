import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { keepPersonal, readPersonal } from './personal-data.ts';

type Deps = { secrets: SecretBox };

/** The code of a process, the id of a staff text, or both. */
export type StoredReason = { reason: string | null; reasonId: string | null };

/** Rule HTTP-26. */
export type ShownReason = { reason: string | null; reasonErased: boolean };

/**
 * Stores a staff text encrypted, outside the ledger and the audit (rule CMP-108). Requires the
 * transaction that refers to the text. The retention period begins at `writtenAt` (default: now).
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

/** Reads staff texts by id. Erased texts are missing. */
export async function readReasons(
  from: Sql,
  deps: Deps,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const reasonIds = new Set(ids.filter((id) => id !== null));
  const reasons = await readPersonal<{ words: string }>(from, deps, [...reasonIds]);
  return new Map([...reasons].map(([id, { words }]) => [id, words]));
}

/** Returns the staff text, otherwise the code. An erased text is null. */
export function shownReason(
  { reason, reasonId }: StoredReason,
  words: ReadonlyMap<string, string>,
): ShownReason {
  if (reasonId === null) return { reason, reasonErased: false };
  const text = words.get(reasonId);
  return { reason: text ?? null, reasonErased: text === undefined };
}

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

export const wordsReference = (id: string | null): WordsReference | null =>
  id === null ? null : { wordsId: id };

export const referencedWords = (value: unknown): string | null =>
  typeof value === 'object' &&
  value !== null &&
  'wordsId' in value &&
  typeof value.wordsId === 'string'
    ? value.wordsId
    : null;
