/**
 * The /48 of a client that is a /64 network of IPv6 (rules HTTP-19 and HTTP-24); undefined for any other client. Providers give a /48 to each site, and 65,536 networks in it may
 * be one client's.
 */
export function siteOf(client: string): string | undefined {
  if (!client.endsWith('/64')) return undefined;
  const [, site] = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/.exec(client) ?? [];
  return site === undefined ? undefined : `${site}:/48`;
}
