import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { clientAddress } from '../../../api/http/client-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string | string[]) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;
const seenAs = (address: string) => clientAddress(request(address), false);

describe('a client is limited as', () => {
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
  ])('%s: %s', (address, network) => {
    expect(seenAs(address)).toBe(network);
  });

  test.each([
    ['203.0.113.7:50312', '203.0.113.7'],
    ['[2001:db8:1:2::9]:50312', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['10.0.0.1, 2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['unknown', 'unknown'],
    ['_hidden:80', '_hidden:80'],
    ['', '127.0.0.1'],
  ])('what a trusted proxy wrote, %j: %s', (forwarded, network) => {
    expect(clientAddress(request('127.0.0.1', forwarded), true)).toBe(network);
    expect(clientAddress(request('127.0.0.1', forwarded), false)).toBe('127.0.0.1');
  });

  test('nobody in particular when the connection is gone', () => {
    expect(clientAddress(request(undefined), false)).toBe('unknown');
  });
});
