import type { Document } from '../../../modules/menus/storefront/documents.ts';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Order of encodings for clients without a preference. */
const PREFERENCE: readonly Encoding[] = ['br', 'gzip', 'identity'];

const MEMO_LIMIT = 500;
/** Longer headers would cost milliseconds. */
const LONGEST_HEADER = 1_000;
const memo = new Map<string, readonly Encoding[]>();

/** The best first, always including identity (RFC 9110, 12.5.3). */
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

export function chooseEncoding(document: Document, header: string | undefined): Encoding {
  for (const encoding of acceptedEncodings(header))
    if (document[encoding] !== null) return encoding;
  return 'identity';
}

export function bestEncoding(header: string | undefined, offered: readonly Encoding[]): Encoding {
  return acceptedEncodings(header).find((encoding) => offered.includes(encoding)) ?? 'identity';
}

/** A client that rejects every encoding still gets a response, as RFC 9110 allows. */
const FALLBACK = 'identity;q=0.0001';

/** Missing in the published types. */
type PreferringNegotiator = {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
};

function parse(header: string): readonly Encoding[] {
  const weights = `${FALLBACK}, ${header.replaceAll(/x-gzip/gi, 'gzip')}`;
  const negotiator: PreferringNegotiator = new Negotiator({
    headers: { 'accept-encoding': weights },
  });
  return negotiator.encodings(PREFERENCE, { preferred: PREFERENCE }) as Encoding[];
}
