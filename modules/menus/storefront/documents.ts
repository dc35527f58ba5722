import type { CardTexts } from '../rules/snapshot/menu-parts.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { computeEtag, encode } from '../snapshot/encode.ts';

/** `gzip` and `br` are null if not smaller. */
export type Document = { etag: string; identity: Buffer; gzip: Buffer | null; br: Buffer | null };

/** Documents of one revision. */
export type Documents = {
  organizationId: number;
  revision: number;
  etag: string;
  menu: Document;
  menuRevision: Document;
  availability: Document;
  cardTexts: Readonly<Record<number, CardTexts>>;
  /** See `readLeftOut`. */
  leftOut: Buffer | null;
};

/** Smaller responses fit one packet. */
const COMPRESS_FROM_BYTES = 1_024;

/** Returns null without a stored menu. */
export async function readDocuments(
  { db }: Sql,
  organizationId: number,
): Promise<Documents | null> {
  const snapshot = await db
    .selectFrom('snapshot')
    .select([
      'revision',
      'etag',
      'payload',
      'payloadGzip as gzip',
      'payloadBr as br',
      'availability',
      'cardTexts',
      'leftOut',
    ])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  if (snapshot === undefined) return null;

  const { revision, etag, payload, gzip, br } = snapshot;

  return {
    organizationId,
    revision,
    etag,
    cardTexts: snapshot.cardTexts,
    leftOut: snapshot.leftOut,
    menu: { etag, identity: payload, gzip, br },
    menuRevision: await encodeDocument(JSON.stringify({ revision })),
    availability: await encodeDocument(snapshot.availability.toString('utf8')),
  };
}

async function encodeDocument(text: string): Promise<Document> {
  if (Buffer.byteLength(text) >= COMPRESS_FROM_BYTES) return encode(text);
  const identity = Buffer.from(text);
  return { etag: computeEtag(identity), identity, gzip: null, br: null };
}
