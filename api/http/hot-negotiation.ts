import type { Document } from '../../modules/menus/storefront/documents.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Best first where the client has no preference. */
const PREFERENCE: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** Header values seen so far; browsers and CDNs send a handful, so the cap is only against abuse. */
const MEMO_LIMIT = 500;
const memo = new Map<string, readonly Encoding[]>();

/** The encodings a client takes, best first, identity always among them (RFC 9110, 12.5.3, with q-values and `*`). */
function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return ['identity'];
  const known = memo.get(header);
  if (known !== undefined) return known;
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
  return acceptedEncodings(header).find((each) => offered.includes(each)) ?? 'identity';
}

function parse(header: string): readonly Encoding[] {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((each) => each.trim());
    const q = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
    const weight = Number(q);
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number.isNaN(weight) ? 0 : weight);
  }
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === 'identity' ? 0.0001 : (weights.get('*') ?? 0));
  const taken = PREFERENCE.filter((each) => weightOf(each) > 0).toSorted((a, b) => weightOf(b) - weightOf(a));
  // A client that refuses everything still gets an answer it can be debugged with, as RFC 9110 allows.
  return taken.includes('identity') ? taken : [...taken, 'identity'];
}
