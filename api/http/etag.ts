/**
 * True when an If-None-Match header names this tag: a list, or `*`, compared weakly (RFC 9110). Request directives such
 * as `no-cache`, which browsers' fetch adds by itself, do not make a copy older than it is.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((each) => each.trim() === '*' || opaque(each) === opaque(etag));
}
