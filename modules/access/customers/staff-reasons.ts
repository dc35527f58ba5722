import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { keepPersonal, readPersonal } from './personal-data.ts';

type Deps = { secrets: SecretBox };

/** A stored reason: the code of a process, the id of words that staff have typed, or both. */
export type StoredReason = { reason: string | null; reasonId: string | null };

/** A reason as answers show it (rule HTTP-26). */
export type ShownReason = { reason: string | null; reasonErased: boolean };

/**
 * Stores words of staff about a person encrypted, apart from ledger and audit, and returns their id
 * (rule CMP-108). Call it in the transaction that refers to them. Their life counts from
 * `writtenAt`, by default from now.
 */
export function keepReason(tx: Sql, deps: Deps, words: string, writtenAt?: Date): Promise<string> {
  return keepPersonal(tx, deps, 'REASON', { words }, writtenAt === undefined ? {} : { createdAt: writtenAt });
}

/** Words of staff by their ids. Words that were erased are missing. */
export async function readReasons(
  from: Sql,
  deps: Deps,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const stored = new Set(ids.filter((id) => id !== null));
  const found = await readPersonal<{ words: string }>(from, deps, [...stored]);
  return new Map([...found].map(([id, { words }]) => [id, words]));
}

/**
 * One reason as answers show it: words of staff before the code, null when the words were erased.
 */
export function shownReason({ reason, reasonId }: StoredReason, words: ReadonlyMap<string, string>): ShownReason {
  if (reasonId === null) return { reason, reasonErased: false };
  const text = words.get(reasonId);
  return { reason: text ?? null, reasonErased: text === undefined };
}

/** Rows with their reasons as answers show them. */
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
  return rows.map(({ reason, reasonId, ...row }) => ({ ...row, ...shownReason({ reason, reasonId }, words) }));
}

/** Words in the values of an audit entry: the entry has their id alone. */
type WordsReference = { wordsId: string };

/** Refers to words in the values of an audit entry. */
export const wordsReference = (id: string | null): WordsReference | null => (id === null ? null : { wordsId: id });

/** The id of the words that a value of an audit entry refers to, or null. */
export const referencedWords = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'wordsId' in value && typeof value.wordsId === 'string'
    ? value.wordsId
    : null;
