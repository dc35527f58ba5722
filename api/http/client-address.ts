import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { TrustedProxies } from '../../platform/trusted-proxies.ts';

/**
 * Returns the key by which a request is limited (rule HTTP-19): an IPv4 address, or the /64 network
 * of an IPv6 address, because one client has all of those. It is the first address on the way back
 * from us that is none of our proxies; entries before it in X-Forwarded-For are claims of the
 * client. A proxy without an entry is the client itself.
 */
export function clientAddress(request: IncomingMessage, isProxy: TrustedProxies): string {
  return networkOf(clientHop(request, isProxy).address);
}

/**
 * The last address on the way back from us that a trusted host names: whether it is a proxy itself,
 * and whether the request names another address behind it. The address is `unknown` after the
 * socket was closed.
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

/**
 * Networks of addresses that were seen: working one out takes longer than all else a hot read does
 * with its client.
 */
const cache = new Map<string, string>();
const KNOWN_LIMIT = 10_000;

/**
 * The address of a text that a proxy or a client wrote (rule HTTP-79): without blanks, a port, and
 * the IPv4 mapping of dual-stack sockets.
 */
export function bareAddress(text: string): string {
  // Plain IPv4, by far the most requests.
  if (!text.includes(':')) return text.trim();
  const address = withoutPort(text.trim());
  return address.slice(0, MAPPED.length).toLowerCase() === MAPPED && address.includes('.')
    ? address.slice(MAPPED.length)
    : address;
}

/** An IPv4 address as it is, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  let network = cache.get(address);
  if (network === undefined) {
    if (cache.size >= KNOWN_LIMIT) cache.clear();
    cache.set(address, (network = workedOut(address)));
  }
  return network;
}

/** The deprecated form `::203.0.113.7`, which ipaddr.js takes for an IPv4-mapped address. */
const COMPATIBLE = /^::(?=[\d.]+$)/;

/**
 * Node checks the text first: ipaddr.js also accepts `1`, octal groups and hexadecimal groups of
 * IPv4.
 */
function workedOut(address: string): string {
  if (!isIPv6(address)) return address;
  // Zone ids have more characters than ipaddr.js accepts.
  const [withoutZone = ''] = address.split('%');
  const ip = ipaddr.IPv6.parse(withoutZone.replace(COMPATIBLE, '0::'));
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Some proxies append the port to the address, which changes with each connection. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|((?:::ffff:)?[\d.]+):\d+)$/i.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? text : address;
}
