import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { clientAddress } from '../../../api/http/client-address.ts';
import { parseTrustedProxies } from '../../../platform/trusted-proxies.ts';

const request = (remoteAddress: string | undefined, forwarded?: string | string[]) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;
const seenAs = (address: string) => clientAddress(request(address), parseTrustedProxies('off'));

describe('the address by which a client is limited', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1::203.0.113.7', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::1%br-lan.7', 'fe80:0:0:0::/64'],
    ['::203.0.113.7', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['0:2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ])('normalizes %s to %s', (address, network) => {
    expect(seenAs(address)).toBe(network);
  });

  test.each([
    ['203.0.113.7:50312', '203.0.113.7'],
    ['[2001:db8:1:2::9]:50312', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['[::ffff:203.0.113.7]:50312', '203.0.113.7'],
    ['::ffff:203.0.113.7:50312', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['203.0.113.9, 203.0.113.7:50312', '203.0.113.7'],
    ['203.0.113.7:50312, 10.0.0.1:80', '10.0.0.1'],
    ['10.0.0.1, 2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['unknown', '127.0.0.1'],
    ['_hidden:80', '127.0.0.1'],
    ['203.0.113.7, 300.1.1.1', '127.0.0.1'],
    ['', '127.0.0.1'],
    ['1', '127.0.0.1'],
    ['203.0.113', '127.0.0.1'],
    ['3405803783', '127.0.0.1'],
    ['0xcb.0.113.7', '127.0.0.1'],
    ['0313.0.0161.7', '127.0.0.1'],
    ['::ffff:0313.0.0161.7', '127.0.0.1'],
    ['::0xcb.0.113.7', '127.0.0.1'],
    ['1::2::3', '127.0.0.1'],
    ['2001:db8:1:2:3:4:5:6:7', '127.0.0.1'],
    ['[2001:db8::1', '127.0.0.1'],
  ])('comes from a trusted proxy, %j: %s', (forwarded, network) => {
    expect(clientAddress(request('127.0.0.1', forwarded), parseTrustedProxies('on'))).toBe(network);
    expect(clientAddress(request('127.0.0.1', forwarded), parseTrustedProxies('off'))).toBe(
      '127.0.0.1',
    );
  });

  // The client claims to be 192.0.2.66. A TLS proxy at 10.0.0.2 saw 203.0.113.7.
  const TWO_HOPS = '192.0.2.66, 203.0.113.7, 10.0.0.2';
  test.each([
    ['1', '172.18.0.5', TWO_HOPS, '10.0.0.2'],
    ['2', '172.18.0.5', TWO_HOPS, '203.0.113.7'],
    ['2', '172.18.0.5', '203.0.113.7', '203.0.113.7'],
    ['2', '172.18.0.5', undefined, '172.18.0.5'],
    ['private', '::ffff:172.18.0.5', TWO_HOPS, '203.0.113.7'],
    ['172.18.0.0/16, 10.0.0.2', '172.18.0.5', TWO_HOPS, '203.0.113.7'],
    ['172.18.0.0/16, 10.0.0.3', '172.18.0.5', TWO_HOPS, '10.0.0.2'],
    ['10.0.0.0/8', '172.18.0.5', TWO_HOPS, '172.18.0.5'],
    ['private', '203.0.113.9', TWO_HOPS, '203.0.113.9'],
    ['private', '172.18.0.5', '192.0.2.66, nonsense, 10.0.0.2', '10.0.0.2'],
    ['2001:db8:aaaa::/48', '2001:db8:aaaa::1', '2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['private', 'fe80::1%eth0', '203.0.113.7', '203.0.113.7'],
    ['2001:db8:aaaa::/48', '2001:db8:bbbb::1', '2001:db8:1:2::9', '2001:db8:bbbb:0::/64'],
  ])('follows proxies %j, address %s and header %j: %s', (proxies, peer, forwarded, network) => {
    const isProxy = parseTrustedProxies(proxies);

    expect(clientAddress(request(peer, forwarded), isProxy)).toBe(network);
    // A second call returns the same from the cache.
    expect(clientAddress(request(peer, forwarded), isProxy)).toBe(network);
  });

  test.each([
    '',
    '0',
    '11',
    '1.5',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0/8',
    'gateway',
    '10.0.0.0/8,',
  ])('cannot use the proxies %j', (proxies) => {
    expect(() => parseTrustedProxies(proxies)).toThrow('must be off, on, a number of proxies');
  });

  test('becomes an unspecified address if the connection is lost', () => {
    expect(clientAddress(request(undefined), parseTrustedProxies('on'))).toBe('unknown');
  });
});
