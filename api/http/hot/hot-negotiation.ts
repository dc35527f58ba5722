import type { Document } from '../../../modules/menus/storefront/documents.ts';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Best first where the client has no preference. */
const PREFERENCE: readonly Encoding[] = ['br', 'gzip', 'identity'];

/**
 * Header values seen so far; browsers and CDNs send a handful, so the cap is only against abuse.
 */
const MEMO_LIMIT = 500;
/** Characters of a header that are read: 16 KB of names would cost milliseconds. */
const LONGEST_HEADER = 1_000;
const memo = new Map<string, readonly Encoding[]>();

/**
 * The encodings a client takes, best first, identity always among them (RFC 9110, 12.5.3, with
 * q-values and `*`).
 */
function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return ['identity'];
  if (header.length > LONGEST_HEADER) return acceptedEncodings(header.slice(0, LONGEST_HEADER));
  const cached = memo.get(header);
  if (cached !== undefined) return cached;
  if (memo.size >= MEMO_LIMIT) memo.clear();
  const parsed = parse(header);
  memo.set(header, parsed);
  return parsed;
}

/** The first encoding of the client's list in which the document exists. */
export function chooseEncoding(document: Document, header: string | undefined): Encoding {
  for (const encoding of acceptedEncodings(header)) if (document[encoding] !== null) return encoding;
  return 'identity';
}

/** The best of the offered encodings a client takes; as it is when it takes none of them. */
export function bestEncoding(header: string | undefined, offered: readonly Encoding[]): Encoding {
  return acceptedEncodings(header).find((encoding) => offered.includes(encoding)) ?? 'identity';
}

/** A client that rejects every encoding still gets a readable answer, as RFC 9110 allows. */
const FALLBACK = 'identity;q=0.0001';

/** Orders equally weighted encodings; the published types lack this option. */
type PreferringNegotiator = {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
};

function parse(header: string): readonly Encoding[] {
  const weights = `${FALLBACK}, ${header.replaceAll(/x-gzip/gi, 'gzip')}`;
  const negotiator: PreferringNegotiator = new Negotiator({ headers: { 'accept-encoding': weights } });
  return negotiator.encodings(PREFERENCE, { preferred: PREFERENCE }) as Encoding[];
}
