import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readEnv, VARIABLES } from '../../../modules/env.ts';
import type { EnvironmentError } from '../../../platform/env/read-variables.ts';

const needed = {
  NODE_ENV: 'development',
  DATABASE_URL: 'postgres://u:p@h/db',
  ERP_URL: 'https://erp.example/',
  ENCRYPTION_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
};

function catchProblems(source: Record<string, string>): readonly string[] {
  try {
    readEnv({ ...needed, ...source });
  } catch (error) {
    return (error as EnvironmentError).problems;
  }
  return [];
}

describe('the function readEnv', () => {
  test('parses durations, rates, times, flags and lists into typed values', () => {
    const env = readEnv({
      ...needed,
      SYNC_MENU_EVERY: '7m',
      RATE_LIMIT_MENU: 'off',
      SYNC_MENU_FULL_AT: '03:05',
      DEMO: 'off',
      ADMIN_ORIGINS: 'https://a.example, https://b.example',
    });

    expect(env).toMatchObject({
      SYNC_MENU_EVERY: 420_000,
      SYNC_STOP_LIST_EVERY: 45_000,
      RATE_LIMIT_MENU: null,
      RATE_LIMIT_PUBLIC: 600,
      SYNC_MENU_FULL_AT: { hour: 3, minute: 5 },
      DEMO: 'off',
      ADMIN_ORIGINS: ['https://a.example', 'https://b.example'],
      ERP_URL: 'https://erp.example',
      PORT: 8080,
    });
  });

  test('counts an empty constant as absent', () => {
    expect(catchProblems({ NODE_ENV: 'production', SNAPSHOT_POLL: '' })).toEqual([]);
  });

  test('rejects a duration that a timer would overflow with', () => {
    expect(catchProblems({ RECONCILE_EVERY: '600h' })).toEqual([
      'RECONCILE_EVERY is "600h" but must be at most 24 days',
    ]);
  });

  test('[ERP-5] allows the ERP 5 s to connect, 120 s for a menu and 15 s for other answers by default', () => {
    expect(readEnv(needed)).toMatchObject({
      ERP_CONNECT_TIMEOUT: 5_000,
      ERP_READ_TIMEOUT: 15_000,
      ERP_MENU_READ_TIMEOUT: 120_000,
    });
  });

  test('[HTTP-38] requires an absolute HTTP URL as base of images, with or without a path', () => {
    const readBase = (PUBLIC_MEDIA_URL: string) =>
      readEnv({ ...needed, PUBLIC_MEDIA_URL }).PUBLIC_MEDIA_URL;

    expect(
      ['', 'https://cdn.example', 'https://cdn.example/', 'http://cdn.example/a/b/'].map(readBase),
    ).toEqual([null, 'https://cdn.example', 'https://cdn.example', 'http://cdn.example/a/b']);
    const wrong = [
      '/media',
      'cdn.example',
      'ftp://cdn.example',
      'https://cdn.example/?a=1',
      'https://cdn.example?',
    ];
    for (const url of [
      ...wrong,
      'https://cdn.example/#a',
      'https://u:p@cdn.example',
      'https://cdn.example/a b',
    ])
      expect(catchProblems({ PUBLIC_MEDIA_URL: url })).toEqual([
        expect.stringMatching(/^PUBLIC_MEDIA_URL .*must be/),
      ]);
  });

  test('lists all problems together', () => {
    const problems = catchProblems({
      PORT: '99999',
      SYNC_MENU_EVERY: '5 minutes',
      SYNC_TIME_ZONE: 'Mars/Base',
      DATABASE_URL: 'mysql://u:hidden@h/db',
    });

    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).not.toContain('hidden');
  });

  test.each([
    ['?sslmode=prefer', 'have one of disable, require, verify-ca, verify-full as sslmode'],
    ['?sslmode=verify-ca', 'name a file as sslrootcert together with verify-ca'],
    [
      '?sslmode=require&sslrootcert=system',
      'have verify-full as sslmode together with the authorities of the system',
    ],
    ['?sslrootcert=/a.pem', 'have an sslmode in addition to the certificate files'],
    ['?sslmode=require&sslcert=/a.pem', 'have sslcert and sslkey together'],
    [
      '?sslmode=require&options=hidden',
      'have no parameter but sslmode, sslrootcert, sslcert, sslkey',
    ],
  ])(
    '[OPS-28] rejects a database URL with %s, because it could not be obeyed',
    (parameters, sentence) => {
      const [problem, ...others] = catchProblems({
        DATABASE_URL: `postgres://u:hidden@h/db${parameters}`,
      });

      expect(problem).toContain(`must ${sentence}`);
      expect(problem).not.toContain('hidden');
      expect(others).toEqual([]);
    },
  );

  test.each([
    ['a failpoint', { CARTE_FAILPOINT: 'menu-apply' }],
    ['an insecure cookie', { COOKIE_SECURE: 'off' }],
    ['demo data', { DEMO: 'on' }],
    ['another value of a constant', { SYNC_HEARTBEAT: '1s' }],
    ['the shop of the demo', { DEMO_SHOP: 'on' }],
  ])('[STO-14] rejects %s in production', (_, source) => {
    expect(catchProblems({ NODE_ENV: 'production', ...source })).toHaveLength(1);
  });

  test.each([
    ['ADMIN_PASSWORD', 'eleven-char', 'twelve-chars'],
    ['WEBHOOK_SECRET', 'x'.repeat(23), 'x'.repeat(24)],
    ['WEBHOOK_SECRET', `${'x'.repeat(24)},short`, `${'x'.repeat(24)}, ${'y'.repeat(24)}`],
    ['ERP_URL', 'http://erp.example', 'http://erp-gateway:8080'],
    ['ERP_URL', 'http://[2001:db8::1]', 'http://[::1]:8080'],
    ['NOTIFY_WEBHOOK_URL', 'http://10.0.0.7/hook', 'http://127.0.0.1:8080/hook'],
    ['GEOCODER_URL', 'http://photon.example', 'https://photon.example'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://traces.example', 'http://collector:4318'],
    ['ADMIN_ORIGINS', '*', 'https://admin.example'],
    ['ADMIN_ORIGINS', 'https://admin.example,*', ''],
  ])(
    '[OPS-24] rejects a weak %s in production only, and reports it without its value',
    (name, weak, strong) => {
      const inProduction = catchProblems({ NODE_ENV: 'production', [name]: weak });

      expect(inProduction).toEqual([
        expect.stringMatching(new RegExp(`^${name} must .* in production$`)),
      ]);
      expect(inProduction.join('')).not.toContain(weak);
      expect(catchProblems({ NODE_ENV: 'production', [name]: strong })).toEqual([]);
      expect(catchProblems({ [name]: weak })).toEqual([]);
    },
  );

  test('treats an environment without a kind as production', () => {
    const { NODE_ENV: _, ...silent } = needed;

    expect(readEnv(silent).NODE_ENV).toBe('production');
    expect(() => readEnv({ ...silent, ADMIN_ORIGINS: '*' })).toThrow(
      'ADMIN_ORIGINS must name every origin in production',
    );
  });

  test('[WHK-1] accepts two secrets of the webhook, but not three', () => {
    const read = (secret: string) => readEnv({ ...needed, WEBHOOK_SECRET: secret }).WEBHOOK_SECRET;

    expect([read(''), read('one'), read(' one, two ')]).toEqual([[], ['one'], ['one', 'two']]);
    expect(catchProblems({ WEBHOOK_SECRET: 'one,two,three-canary' })).toEqual([
      'WEBHOOK_SECRET must be one secret, or two separated by a comma',
    ]);
  });

  test.each([
    'https://shop.example/',
    'https://Shop.example',
    'shop.example',
    'https://a.example,https://b.example/menu',
  ])('rejects the origin %s, which no request would ever have', (origin) => {
    expect(catchProblems({ PUBLIC_ORIGINS: origin })).toEqual([
      expect.stringMatching(/^PUBLIC_ORIGINS .* must list origins/),
    ]);
    expect(catchProblems({ ADMIN_ORIGINS: origin })).toHaveLength(1);
  });

  test('accepts every origin a storefront may have', () => {
    const given = 'https://shop.example,http://localhost:5173,capacitor://localhost,*';
    expect(readEnv({ ...needed, PUBLIC_ORIGINS: given }).PUBLIC_ORIGINS).toEqual(given.split(','));
  });

  test('requires the complete settings of S3 storage', () => {
    expect(catchProblems({ MEDIA_STORE: 's3' })).toHaveLength(3);
  });

  test('requires only the variables of a process', () => {
    expect(readEnv({}, ['PORT'])).toEqual({ PORT: 8080 });
  });

  test('requires complete single sign-on settings with origins for the redirect', () => {
    const provider = {
      OIDC_ISSUER: 'https://idp.example/realms/carte/',
      OIDC_CLIENT_ID: 'carte',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_REDIRECT_URL: 'https://api.example/api/admin/v1/auth/oidc/callback',
      ADMIN_ORIGINS: 'https://admin.example',
    };

    // The issuer is compared exactly, so its last slash stays.
    expect(readEnv({ ...needed, ...provider }).OIDC_ISSUER).toBe(
      'https://idp.example/realms/carte/',
    );
    expect(catchProblems({ OIDC_ISSUER: provider.OIDC_ISSUER })).toEqual(
      ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_REDIRECT_URL', 'ADMIN_ORIGINS'].map(
        (name) => `${name} is missing: OIDC_ISSUER is set`,
      ),
    );
    expect(catchProblems({ ...provider, ADMIN_ORIGINS: '*' })).toEqual([
      expect.stringContaining('must name origins'),
    ]);
    expect(
      catchProblems({ ...provider, OIDC_ISSUER: 'http://idp.example', NODE_ENV: 'production' }),
    ).toContain('OIDC_ISSUER must be https in production');
  });

  test('[ACC-21] requires email domains for a default role of sign-on, which is never ADMIN', () => {
    const provider = {
      OIDC_ISSUER: 'https://idp.example',
      OIDC_CLIENT_ID: 'carte',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_REDIRECT_URL: 'https://api.example/api/admin/v1/auth/oidc/callback',
      ADMIN_ORIGINS: 'https://admin.example',
    };
    const production = {
      ...provider,
      NODE_ENV: 'production',
      DEMO: 'off',
      OIDC_DEFAULT_ROLE: 'VIEWER',
    };

    expect(catchProblems(production)).toEqual([
      'OIDC_EMAIL_DOMAINS is missing: OIDC_DEFAULT_ROLE is set',
    ]);
    expect(catchProblems({ ...production, OIDC_EMAIL_DOMAINS: 'staff.example' })).toEqual([]);
    expect(catchProblems({ ...provider, OIDC_DEFAULT_ROLE: 'VIEWER' })).toEqual([]);
    expect(catchProblems({ ...provider, OIDC_DEFAULT_ROLE: 'ADMIN' })).toEqual([
      'OIDC_DEFAULT_ROLE must not be ADMIN: every new user could manage users',
    ]);
  });
});

test('each variable is declared once, and the table of the product contains all of them', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const files = globSync(
    ['platform/env/*.ts', 'erp/env.ts', 'kernel/env.ts', 'modules/{*,*/*}/env.ts'],
    { cwd: root },
  );
  const declared: string[] = [];
  for (const file of files)
    for (const [name, value] of Object.entries(
      (await import(join(root, file))) as Record<string, object>,
    ))
      if (name.endsWith('_VARIABLES')) declared.push(...Object.keys(value));

  expect(declared.toSorted()).toEqual(Object.keys(VARIABLES).toSorted());
});
