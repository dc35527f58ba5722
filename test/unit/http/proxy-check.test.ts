import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { parseTrustedProxies } from '../../../platform/trusted-proxies.ts';
import { proxyCheck, proxyContradiction } from '../../../api/http/access/proxy-check.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

const found = (trusted: string, remoteAddress: string, forwarded?: string) =>
  proxyContradiction(request(remoteAddress, forwarded), {
    TRUST_PROXY: parseTrustedProxies(trusted),
  });

describe('the check of TRUST_PROXY against requests', () => {
  test.each([
    ['off', '172.18.0.5', '203.0.113.7'],
    ['1', '172.18.0.5', '203.0.113.7, 172.18.0.1'],
    ['10.0.0.0/8', '::ffff:192.168.1.4', '203.0.113.7'],
    ['1', '172.18.0.5', '2001:db8::7, fd00::1'],
  ])('[HTTP-29] finds %s too few proxies for %s and "%s"', (trusted, peer, forwarded) => {
    expect(found(trusted, peer, forwarded)).toBe('tooFew');
  });

  test.each([
    ['2', '172.18.0.5', '203.0.113.7'],
    ['1', '203.0.113.7', undefined],
    ['203.0.113.0/24', '203.0.113.7', undefined],
  ])('[HTTP-29] finds %s too many proxies for %s and "%s"', (trusted, peer, forwarded) => {
    expect(found(trusted, peer, forwarded)).toBe('tooMany');
  });

  test.each([
    ['off', '203.0.113.7', undefined],
    ['off', '203.0.113.7', '198.51.100.1'],
    ['off', '127.0.0.1', undefined],
    ['private', '172.18.0.5', '203.0.113.7'],
    ['private', '172.18.0.5', '203.0.113.7, 172.18.0.1'],
    ['private', '172.18.0.5', '198.51.100.1, 203.0.113.7, 172.18.0.1'],
    ['private', '10.1.2.3', undefined],
    ['2', '172.18.0.5', '203.0.113.7, 172.18.0.1'],
  ])('[HTTP-29] accepts %s for %s and "%s"', (trusted, peer, forwarded) => {
    expect(found(trusted, peer, forwarded)).toBeNull();
  });

  test('[HTTP-29] logs one warning after ten contradicting requests', async () => {
    const warnings: unknown[] = [];
    const log = { warn: (fields: unknown) => warnings.push(fields) };
    const check = proxyCheck({ env: { TRUST_PROXY: parseTrustedProxies('off') }, log } as never);
    const pass = (forwarded?: string) =>
      check({ req: request('172.18.0.5', forwarded) } as never, async () => undefined);
    for (let index = 0; index < 9; index += 1) await pass('203.0.113.7');
    for (let index = 0; index < 20; index += 1) await pass();

    expect(warnings).toEqual([]);
    for (let index = 0; index < 20; index += 1) await pass('203.0.113.7');
    expect(warnings).toEqual([{ contradiction: 'tooFew' }]);
  });
});
