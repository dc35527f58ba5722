import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerControl, isControlRead } from './control/control.ts';
import type { Growth, DatasetSize } from './data/dataset.ts';
import { DEMO_API_LOGIN } from './data/dataset.ts';
import { accessToken, accountOfLogin } from './endpoints/access-token.ts';
import { cities, streetsByCity } from './endpoints/addresses.ts';
import { commandStatus } from './endpoints/commands.ts';
import { createDelivery } from './endpoints/deliveries-create.ts';
import {
  deliveriesById,
  deliveriesByPhone,
  deliveriesByRevision,
  deliveryHistory,
} from './endpoints/deliveries-read.ts';
import {
  addCustomerCategory,
  createOrUpdateCustomer,
  customerCategories,
  customerInfo,
  removeCustomerCategory,
} from './endpoints/customers.ts';
import { discounts, orderTypes, paymentTypes } from './endpoints/dictionaries.ts';
import { deliveryAllowed } from './endpoints/delivery-allowed.ts';
import { deliveryRestrictions } from './endpoints/delivery-restrictions.ts';
import { menuById, menuList } from './endpoints/menus.ts';
import { olderMenuById } from './endpoints/older-menu.ts';
import { organizations, terminalGroups, terminalsAlive } from './endpoints/organizations.ts';
import { stopLists } from './endpoints/stop-lists.ts';
import { applyFault, CREATE_ENDPOINT, REVISION_ENDPOINT, TOKEN_ENDPOINT } from './faults.ts';
import type { Fault } from './faults.ts';
import { geocode, GEOCODER_PATHS } from './geocoder.ts';
import { createState } from './state.ts';
import type { Account } from './model.ts';
import type { Context, State } from './state.ts';
import { failure, ok, readBody, send, sendHalf, toBytes } from './wire.ts';
import type { Answer, Body } from './wire.ts';

export { DEMO_API_LOGIN, DEMO_API_LOGIN_SECOND, toApiLogin } from './data/dataset.ts';

export type EmulatorOptions = {
  host?: string;
  port?: number;
  seed?: number;
  size?: DatasetSize;
  growth?: Growth;
};

export type Emulator = {
  readonly url: string;
  readonly port: number;
  readonly apiLogin: string;
  /**
   * Calls `/_control/{path}` with GET for reads, whose path includes the query, and otherwise with
   * POST. Throws if the call is rejected.
   */
  control<T>(path: string, body?: unknown): Promise<T>;
  /** Closes the port and all connections. Idempotent. */
  stop(): Promise<void>;
};

type Endpoint = (context: Context, body: Body) => Answer;

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/api/1/organizations': organizations,
  '/api/1/terminal_groups': terminalGroups,
  '/api/1/terminal_groups/is_alive': terminalsAlive,
  '/api/2/menu': menuList,
  '/api/2/menu/by_id': olderMenuById,
  '/api/menu/v3/by_id': menuById,
  '/api/1/stop_lists': stopLists,
  '/api/1/delivery_restrictions': deliveryRestrictions,
  '/api/1/delivery_restrictions/allowed': deliveryAllowed,
  '/api/1/cities': cities,
  '/api/1/streets/by_city': streetsByCity,
  '/api/1/commands/status': commandStatus,
  '/api/1/deliveries/order_types': orderTypes,
  '/api/1/payment_types': paymentTypes,
  '/api/1/discounts': discounts,
  [CREATE_ENDPOINT]: createDelivery,
  '/api/1/deliveries/by_id': deliveriesById,
  [REVISION_ENDPOINT]: deliveriesByRevision,
  '/api/1/deliveries/by_delivery_date_and_phone': deliveriesByPhone,
  '/api/1/deliveries/history/by_delivery_date_and_phone': deliveryHistory,
  '/api/1/loyalty/erp/customer/info': customerInfo,
  '/api/1/loyalty/erp/customer/create_or_update': createOrUpdateCustomer,
  '/api/1/loyalty/erp/customer_category/add': addCustomerCategory,
  '/api/1/loyalty/erp/customer_category/remove': removeCustomerCategory,
  '/api/1/loyalty/erp/customer_category': customerCategories,
};

const CONTROL_PREFIX = '/_control/';
/** Recorded if the client disconnected before the complete answer. */
const GONE = 499;
/** Longer than the idle time of usual client pools, so that clients close first. */
const KEEP_ALIVE_MS = 65_000;

type ErpCall = { path: string; account: Account | undefined; body: Body; fault: Fault | undefined };

function answerErp(state: State, { path, account, body, fault }: ErpCall): Answer {
  if (path === TOKEN_ENDPOINT) return accessToken(state, body);
  if (!account) return failure(401, 'Token is missing, expired or unknown.');
  const refusal = findRefusal(state, body);
  if (refusal !== undefined) return failure(refusal, 'Access to organization denied.');
  const dictated = state.dictated.get(path);
  if (dictated && isAbout(body, dictated.organizationId)) return ok(dictated.body);
  // The real system answers a wrong path as if a right were missing.
  const endpoint = ENDPOINTS[path];

  return endpoint
    ? endpoint({ state, account, fault }, body)
    : failure(401, 'This right is not allowed for this key.');
}

/** Returns the status with which one of the organizations is rejected. */
function findRefusal({ refused }: State, body: Body): number | undefined {
  const named = body['organizationIds'] ?? [body['organizationId']];
  return (Array.isArray(named) ? named : [])
    .map((id) => refused.get(String(id)))
    .find((status) => status !== undefined);
}

/** Returns true if no organization is given, or if the request concerns it. */
function isAbout(body: Body, organizationId: string | undefined): boolean {
  const named = body['organizationIds'];
  return organizationId === undefined || (Array.isArray(named) && named.includes(organizationId));
}

function findAccount(
  state: State,
  path: string,
  request: IncomingMessage,
  body: Body,
): Account | undefined {
  if (path === TOKEN_ENDPOINT) return accountOfLogin(state, body);
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : state.tokens.accountOf(token);
}

async function handleErp(
  state: State,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = state.calls.open(path);
  const fault = state.faults.take(path);
  response.once('close', () => {
    if (!response.writableFinished) call.close({ status: GONE });
  });

  const body = await readBody(request);
  call.describe(body ?? {});
  await state.faults.delay(fault);
  if (response.destroyed) return;
  const account = findAccount(state, path, request, body ?? {});
  const answer = applyFault(fault, () =>
    body
      ? answerErp(state, { path, account, body, fault })
      : failure(400, 'The body is not a JSON object.'),
  );

  if (fault?.kind === 'no-answer') {
    // The request is executed, but the client never receives the answer.
    call.close({ account: account?.name ?? null, fault: fault.kind });
    if (fault.delayMs !== undefined) setTimeout(() => response.destroy(), fault.delayMs).unref();
    return;
  }

  const bytes = toBytes(answer);
  // Recorded before sending, so that a client that has the answer finds it in the log.
  call.close({
    status: answer.status,
    account: account?.name ?? null,
    fault: fault?.kind ?? null,
    responseBytes: bytes.length,
  });

  if (fault?.kind === 'stalled')
    return sendHalf(response, { ...answer, body: bytes }, fault.delayMs);
  send(response, { ...answer, body: bytes });
}

/** Geocoders have no credentials. Calls and faults work as for the ERP. */
async function handleGeocoder(
  state: State,
  { pathname, searchParams }: URL,
  response: ServerResponse,
): Promise<void> {
  const call = state.calls.open(pathname);
  const fault = state.faults.take(pathname);
  await state.faults.delay(fault);
  if (response.destroyed) return;
  const answer = applyFault(fault, () => geocode(state, pathname, searchParams));
  const bytes = toBytes(answer);
  call.close({ status: answer.status, fault: fault?.kind ?? null, responseBytes: bytes.length });
  send(response, { ...answer, body: bytes });
}

async function handle(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://emulator');
  if (url.pathname.startsWith(CONTROL_PREFIX)) {
    const body = await readBody(request);
    const name = url.pathname.slice(CONTROL_PREFIX.length);

    return send(
      response,
      answerControl(state, request.method ?? 'GET', name, url.searchParams, body),
    );
  }

  if (request.method === 'GET' && (GEOCODER_PATHS as readonly string[]).includes(url.pathname))
    return handleGeocoder(state, url, response);
  if (request.method !== 'POST') return send(response, failure(405, 'Only POST is served here.'));

  return handleErp(state, url.pathname, request, response);
}

function listen(
  server: ReturnType<typeof createServer>,
  host: string,
  port: number,
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/**
 * Starts an ERP emulator in this process. Port 0 (default) selects a free one. Rejects with the
 * error of `listen`, such as `EADDRINUSE`.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = '127.0.0.1', port = 0, seed = 1, size = 'demo', growth = {} } = options;
  const state = createState(seed, size, growth);
  const server = createServer((request, response) => {
    handle(state, request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return response.destroy();
      const text = error instanceof Error ? error.message : 'unknown';
      return send(response, failure(500, `The emulator failed: ${text}`));
    });
  });

  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const address = await listen(server, host, port);
  const url = `http://${host}:${address.port}`;

  return {
    url,
    port: address.port,
    apiLogin: DEMO_API_LOGIN,
    async control<T>(path: string, body?: unknown): Promise<T> {
      const reads = isControlRead(path.split('?')[0] ?? '');
      const init = reads ? {} : { method: 'POST', body: JSON.stringify(body ?? {}) };
      const response = await fetch(`${url}${CONTROL_PREFIX}${path}`, init);
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
      return (await response.json()) as T;
    },
    async stop() {
      state.webhooks.stop();
      state.deliveries.clear();
      if (!server.listening) return;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
