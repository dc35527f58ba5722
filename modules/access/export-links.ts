import { randomUUID } from 'node:crypto';
import { Problem } from '../../kernel/problem.ts';
import { isLeftInWindow, takeInWindow } from '../../kernel/window-count.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { ExportKind, ExportLink } from './schemas/export-links.ts';

/** Seconds. */
const LIFE_SECONDS = 60;
const PURPOSE = 'export.link';
/** A placeholder: links have no row in the database. */
const NO_ROW = 0;

/** The session must still be alive. */
type LinkedExport = {
  id: string;
  kind: ExportKind;
  query: Record<string, unknown>;
  userId: number;
  sessionId: string;
};

/**
 * Creates a link for one download within 60 s (rule HTTP-109). The link is encrypted, because its
 * parameters may contain a phone. Problem `forbidden` for an API key, which has no session.
 */
export function createExportLink(
  secrets: SecretBox,
  { userId, sessionId }: { userId: number; sessionId: string | null },
  { kind, query }: Pick<LinkedExport, 'kind' | 'query'>,
): ExportLink {
  if (sessionId === null)
    throw new Problem('forbidden', {
      detail: 'An API key has no browser. Send its token to the export.',
    });

  const expiresAt = new Date(Date.now() + LIFE_SECONDS * 1_000);
  const link = { id: randomUUID(), kind, query, userId, sessionId, expiresAt: expiresAt.getTime() };
  const token = secrets.seal(PURPOSE, NO_ROW, JSON.stringify(link));

  return { path: `/api/admin/v1/exports/download?token=${encodeURIComponent(token)}`, expiresAt };
}

/**
 * Reads a link, and invalidates it if `isUsed`. Problem `not-found` for an invalid, expired or used
 * link.
 */
export async function openExportLink(
  { db, secrets }: { db: Sql; secrets: SecretBox },
  token: string,
  { isUsed }: { isUsed: boolean },
): Promise<LinkedExport> {
  const { expiresAt, ...link } = opened(secrets, token);
  if (expiresAt <= Date.now()) throw linkNotFound();
  const use = { kind: 'export-link', of: link.id, most: 1 };
  // The record of the use must outlive the link.
  const isValid = isUsed
    ? await takeInWindow(db, 2 * LIFE_SECONDS, use)
    : await isLeftInWindow(db, use);
  if (!isValid) throw linkNotFound();

  return link;
}

function opened(secrets: SecretBox, token: string): LinkedExport & { expiresAt: number } {
  try {
    return JSON.parse(secrets.open(PURPOSE, NO_ROW, token)) as LinkedExport & { expiresAt: number };
  } catch {
    // The token was changed, or it belongs to another installation.
    throw linkNotFound();
  }
}

export const linkNotFound = (): Problem =>
  new Problem('not-found', {
    detail: 'The link has expired, was used, or its user may no longer download it.',
  });
