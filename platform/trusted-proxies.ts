import { BlockList, isIP } from 'node:net';

/** `at` is 0 for the connected host, 1 for the client that it reports, and so on. */
export type TrustedProxies = (address: string, at: number) => boolean;

const MOST_HOPS = 10;

const PRIVATE = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
];

/** Lookups are expensive for hot reads. */
const KNOWN_LIMIT = 10_000;

/**
 * Parses TRUST_PROXY: `off`, a number (`on` is 1), or addresses and networks (`private`: all
 * private networks). Throws an Error with the expected format.
 */
export function parseTrustedProxies(text: string): TrustedProxies {
  if (text === 'off') return () => false;
  const hops = text === 'on' ? 1 : Number(text);
  if (Number.isInteger(hops) && hops >= 1 && hops <= MOST_HOPS) return (_, at) => at < hops;

  return inNetworks(
    text
      .split(',')
      .map((part) => part.trim())
      .flatMap((entry) => (entry === 'private' ? PRIVATE : entry)),
  );
}

function inNetworks(networks: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const network of networks) add(list, network);
  const cache = new Map<string, boolean>();

  return (address) => {
    let isTrusted = cache.get(address);
    if (isTrusted === undefined) {
      if (cache.size >= KNOWN_LIMIT) cache.clear();
      const [plain = ''] = address.split('%');
      cache.set(address, (isTrusted = list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')));
    }

    return isTrusted;
  };
}

function add(list: BlockList, network: string): void {
  const [address = '', bits, ...rest] = network.split('/');
  const family = isIP(address);
  const most = family === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  // A network of all addresses would trust every client.
  if (family === 0 || rest.length > 0 || prefix < 1 || prefix > most)
    throw new Error(
      `must be off, on, a number of proxies from 1 to ${MOST_HOPS}, or addresses and networks of proxies such as 10.0.0.0/8, separated by commas`,
    );

  list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
}

const isPrivate = inNetworks(PRIVATE);

/**
 * Returns true for a client with a private address. It is an untrusted proxy for all guests, so
 * daily limits do not apply to it.
 */
export function isPrivateClient(client: string): boolean {
  const address = client.replace(/\/64$/, '');
  return isIP(address) !== 0 && isPrivate(address, 0);
}
