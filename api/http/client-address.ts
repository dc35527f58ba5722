import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { TrustedProxies } from '../../platform/trusted-proxies.ts';

/**
 * Returns the key for rate limits (rule HTTP-19): the last address before our proxies, as IPv4 or
 * an IPv6 /64 network. Earlier entries of X-Forwarded-For are not trusted.
 */
export function clientAddress(request: IncomingMessage, isProxy: TrustedProxies): string {
  return toNetwork(clientHop(request, isProxy).address);
}

/**
 * Returns the last address before our proxies, or `unknown` if the socket is closed.
 * `namesAnother`: the host at this address forwards for another client.
 */
export function clientHop(
  request: IncomingMessage,
  isProxy: TrustedProxies,
): { address: string; isProxy: boolean; namesAnother: boolean } {
  const peer = request.socket.remoteAddress;
  if (peer === undefined) return { address: 'unknown', isProxy: false, namesAnother: false };
  let address = bareAddress(peer);
  const header = request.headers['x-forwarded-for'];
  if (!isProxy(address, 0)) return { address, isProxy: false, namesAnother: header !== undefined };
  const claims = [header ?? []].flat().join(',').split(',');

  for (let at = 1; at <= claims.length; at += 1) {
    const named = bareAddress(claims.at(-at)!);
    if (isIP(named) === 0) break;
    address = named;
    if (!isProxy(address, at)) return { address, isProxy: false, namesAnother: at < claims.length };
  }

  return { address, isProxy: true, namesAnother: false };
}

const MAPPED = '::ffff:';

/** Parsing would dominate the cost of a hot read. */
const cache = new Map<string, string>();
const KNOWN_LIMIT = 10_000;

/** Removes blanks, the port, and the IPv4 mapping of dual-stack sockets (rule HTTP-79). */
export function bareAddress(text: string): string {
  // The most frequent case.
  if (!text.includes(':')) return text.trim();
  const address = withoutPort(text.trim());
  return address.slice(0, MAPPED.length).toLowerCase() === MAPPED && address.includes('.')
    ? address.slice(MAPPED.length)
    : address;
}

/** Returns an IPv4 address, or the /64 network of an IPv6 address. */
export function toNetwork(address: string): string {
  if (!address.includes(':')) return address;
  let network = cache.get(address);
  if (network === undefined) {
    if (cache.size >= KNOWN_LIMIT) cache.clear();
    cache.set(address, (network = workedOut(address)));
  }

  return network;
}

/** The deprecated format `::203.0.113.7`, which ipaddr.js parses as IPv4-mapped. */
const COMPATIBLE = /^::(?=[\d.]+$)/;

/** Node validates first: ipaddr.js accepts `1`, octal and hexadecimal groups. */
function workedOut(address: string): string {
  if (!isIPv6(address)) return address;
  // ipaddr.js rejects some valid zone ids.
  const [withoutZone = ''] = address.split('%');
  const ip = ipaddr.IPv6.parse(withoutZone.replace(COMPATIBLE, '0::'));
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();

  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Some proxies append the port, which differs between connections. */
function withoutPort(text: string): string {
  const [, bracketed, plain] =
    /^(?:\[([^\]]*)\](?::\d+)?|((?:::ffff:)?[\d.]+):\d+)$/i.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? text : address;
}
