import type { CardTexts } from '../rules/snapshot/menu-parts.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { encode, etagOf } from '../snapshot/encode.ts';

/**
 * One public answer, ready to be sent; without gzip and br when compressing would not make it
 * smaller.
 */
export type Document = { etag: string; identity: Buffer; gzip: Buffer | null; br: Buffer | null };

/** Everything that is served for one organization, all made from one revision. */
export type Documents = {
  organizationId: number;
  revision: number;
  etag: string;
  menu: Document;
  menuRevision: Document;
  availability: Document;
  /** Texts of product cards that are not in the menu, by product id. */
  cardTexts: Readonly<Record<number, CardTexts>>;
  /** The parts that the menu omits and the other answers have (`readLeftOut`). */
  leftOut: Buffer | null;
};

/** Under this size an answer is sent as it is: it fits one packet anyway. */
const COMPRESS_FROM_BYTES = 1_024;

/** The stored menu of one organization as buffers, null when nothing is stored. */
export async function readDocuments({ db }: Sql, organizationId: number): Promise<Documents | null> {
  const stored = await db
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
  if (stored === undefined) return null;
  const { revision, etag, payload, gzip, br } = stored;
  return {
    organizationId,
    revision,
    etag,
    cardTexts: stored.cardTexts,
    leftOut: stored.leftOut,
    menu: { etag, identity: payload, gzip, br },
    menuRevision: await documentOf(JSON.stringify({ revision })),
    availability: await documentOf(stored.availability.toString('utf8')),
  };
}

async function documentOf(text: string): Promise<Document> {
  if (Buffer.byteLength(text) >= COMPRESS_FROM_BYTES) return encode(text);
  const identity = Buffer.from(text);
  return { etag: etagOf(identity), identity, gzip: null, br: null };
}
