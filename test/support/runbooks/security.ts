import { insertSecurityEvent } from '../../../modules/access/security-events.ts';
import type { SecurityEventKind } from '../../../modules/access/schemas/security-events.ts';
import { newcomerClient } from '../admin-client.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './fixture.ts';
import { ago, selectRow, updateRows } from '../rows.ts';

const VIEWER = { email: 'viewer@carte.test', password: 'a viewer who tries doors' };

const events = async (
  { db, staffId: id }: RunbookProduct,
  kind: SecurityEventKind,
  count: number,
) => {
  for (let left = count; left > 0; left -= 1) await insertSecurityEvent(db, { kind, userId: id });
  return { row: { kind, user_id: id, count }, ids: { id } };
};

const post = (
  { api }: RunbookProduct,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) =>
  fetch(`${api.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

export const SECURITY_ALERTS: Provocations = {
  CarteSignInsRefused: {
    made: 'a hundred refusals; of one address at most sixty are counted',
    provoke: (fixture) => events(fixture, 'SIGN_IN_REFUSED', 101),
  },
  CarteTokenReused: {
    provoke: async (fixture) => {
      const { administrator } = fixture.product;
      const { id } = await selectRow(
        fixture.db,
        'access_user',
        ['id'],
        {},
        { orderBy: 'id', limit: 1 },
      );
      const signedIn = await post(fixture, '/admin/v1/auth/login', administrator);
      const cookie = signedIn.headers
        .getSetCookie()
        .map((text) => text.split(';')[0])
        .join('; ');
      for (let time = 0; time < 3; time += 1) {
        await post(fixture, '/admin/v1/auth/refresh', {}, { cookie });
        // Makes the rotation old, because a quick reuse counts as two requests of one page.
        await updateRows(
          fixture.db,
          'access_session',
          { rotatedAt: ago('1 hour') },
          { userId: id },
        );
      }
      return { row: { kind: 'TOKEN_REUSED', user_id: id }, ids: { id } };
    },
  },
  CarteSecondFactorRefused: {
    made: 'six wrong codes',
    provoke: (fixture) => events(fixture, 'SECOND_FACTOR_REFUSED', 6),
  },
  CarteForbiddenRequests: {
    provoke: async (fixture) => {
      const { id } = await fixture.admin.post<{ id: number }>('/users', {
        ...VIEWER,
        fullName: 'Viewer',
        roles: ['VIEWER'],
      });
      const viewer = await newcomerClient(fixture.api.url, VIEWER.email, VIEWER.password);
      for (let left = 51; left > 0; left -= 1) await viewer.raw('GET', '/users');
      return { row: { kind: 'FORBIDDEN', user_id: id }, ids: { id } };
    },
  },
  CarteWebhookRefused: {
    provoke: async (fixture) => {
      for (let left = 11; left > 0; left -= 1)
        await post(fixture, '/webhooks/erp', {}, { authorization: 'wrong' });
      return { row: { kind: 'WEBHOOK_REFUSED', user_id: null, count: 11 } };
    },
  },
};
