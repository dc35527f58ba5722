import { describe, expect, test } from '@jest/globals';
import { createPhoneClaims } from '../../../modules/access/customers/phone-claims.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';

function claimsReader() {
  const lines: string[] = [];
  const metrics = createMetrics('api');
  let time = 0;
  const log = createLog({
    service: 'test',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const read = createPhoneClaims({ metrics, log, now: () => time });
  return {
    lines,
    metrics,
    read,
    later: (ms: number) => void (time += ms),
    phoneOf: (phone: unknown, verified?: unknown) =>
      read({ phone_number: phone, phone_number_verified: verified }),
  };
}

describe('[CLI-13] claims of a phone', () => {
  test.each<[unknown, unknown, string]>([
    ['+79161112233', true, '+79161112233'],
    ['+79161112233', 'true', '+79161112233'],
    ['+79161112233', ' True ', '+79161112233'],
    ['79161112233', true, '+79161112233'],
    [79_161_112_233, true, '+79161112233'],
    ['89161112233', 'TRUE', '+79161112233'],
    ['9161112233', true, '+79161112233'],
    ['+7 (916) 111-22-33', true, '+79161112233'],
    ['447911123456', true, '+447911123456'],
    ['+44 7911 123456', true, '+447911123456'],
    ['375291234567', true, '+375291234567'],
  ])('prove the phone: %j, verified %j, is %s', (phone, verified, number) => {
    const { phoneOf, lines } = claimsReader();

    expect([phoneOf(phone, verified), lines]).toEqual([number, []]);
  });

  test.each<[unknown, unknown, string]>([
    ['+79161112233', false, 'NOT_VERIFIED'],
    ['+79161112233', 'false', 'NOT_VERIFIED'],
    ['+79161112233', undefined, 'NOT_VERIFIED'],
    ['+79161112233', null, 'NOT_VERIFIED'],
    ['+79161112233', 'yes', 'UNREADABLE_FLAG'],
    ['+79161112233', 1, 'UNREADABLE_FLAG'],
    ['+79161112233', ['true'], 'UNREADABLE_FLAG'],
    ['no phone', true, 'UNREADABLE_NUMBER'],
    ['+79161112233, +79161112244', true, 'UNREADABLE_NUMBER'],
    ['+7 495 111-22-33 доб. 5', true, 'UNREADABLE_NUMBER'],
    [{ number: '+79161112233' }, true, 'UNREADABLE_NUMBER'],
    [0, true, 'UNREADABLE_NUMBER'],
  ])('prove nothing: %j, verified %j, is %s', async (phone, verified, reason) => {
    const { phoneOf, lines, metrics } = claimsReader();
    const { customerPhonesDropped } = metrics;

    expect([phoneOf(phone, verified), phoneOf(phone, verified)]).toEqual([null, null]);
    expect((await customerPhonesDropped.get()).values).toMatchObject([
      { labels: { reason }, value: 2 },
    ]);
    // Logged once an hour, without the number.
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(reason);
    expect(lines[0]).not.toMatch(/\d{6}[^\d]?\d{4}|9161112233|111-22-33/);
  });

  test('cause a log entry for a dropped phone once an hour, and none without a phone', () => {
    const { read, phoneOf, lines, later } = claimsReader();
    expect([read({}), phoneOf(undefined, true), phoneOf('', true)]).toEqual([null, null, null]);
    expect(lines).toEqual([]);

    phoneOf('no phone', true);
    phoneOf('no phone', 'yes');
    later(3_599_999);
    phoneOf('no phone', true);
    expect(lines).toHaveLength(2);
    later(1);
    phoneOf('no phone', true);
    expect(lines).toHaveLength(3);
  });
});
