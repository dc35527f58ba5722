import { readdir, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import {
  EXAMPLES_FOLDER,
  toExampleFile,
  readExamples,
  type Example,
} from '../../api/http/documents/examples.ts';
import { fullPath } from '../../api/http/router.ts';
import type { Route } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import { peopleAndIncidents } from '../support/people-and-incidents.ts';
import { poolOfParameter, readPools } from '../support/known-things.ts';
import { startDemoProduct } from '../support/product.ts';
import { failedOrder } from './failed-order.ts';
import { READ_AFTERWARDS, RECIPES, type Known, type Recipe } from './recipes.ts';
import { formatted } from '../../packages/dev/generated-file.ts';
import { presentable, sameShape } from './presentable.ts';
import { signInCustomer } from '../../packages/demo/seed/sign-in-customer.ts';
import { startCustomerProvider } from '../support/customer-provider.ts';
import { smallPicture } from './small-picture.ts';

// `npm run carte -- examples:record` sends one request of every operation to a running product and
// stores the exchanges for the documents. Examples with the same fields are not replaced.

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const isForced = process.argv.includes('--all');
const only = process.argv.slice(2).filter((text) => !text.startsWith('--'));

print('Starting a product with its demo catalog…');
const provider = await startCustomerProvider();
const demo = await startDemoProduct({ size: 'demo', env: provider.env });
const customerToken = await signInCustomer(provider.issuer, '+79990001122');
try {
  const guest = await peopleAndIncidents(demo);
  const recorded: Record<string, Example> = {};
  for (const route of inOrder()) {
    // A failed recording is reported and does not stop the others.
    const example = await record(route, guest).catch((error: unknown) => String(error));
    if (typeof example === 'string') print(`not recorded: ${route.operationId}: ${example}`);
    else recorded[route.operationId] = example;
  }
  const kept = await write(recorded);
  print(
    `${Object.keys(recorded).length} of ${routes.length} operations recorded, ${kept} kept as they were`,
  );
} finally {
  await demo.product.stop();
  await provider.stop();
}

/** Sorts reads first, while the demo is unchanged. */
function inOrder(): Route[] {
  const commands = Object.keys(RECIPES);
  const isEarly = ({ method, operationId }: Route) =>
    method === 'GET' && !READ_AFTERWARDS.includes(operationId);
  const place = (route: Route) => (isEarly(route) ? -1 : commands.indexOf(route.operationId));
  return routes
    .filter((route) => route.method === 'GET' || commands.includes(route.operationId))
    .filter((route) => only.length === 0 || only.includes(route.operationId))
    .toSorted((a, b) => place(a) - place(b));
}

/** The first events of a stream, without the random pause before a reconnect. */
async function readBeginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes('event: ') && text.endsWith('\n\n')) break;
  }
  return text.slice(text.indexOf('event: '));
}

async function record(route: Route, guest: Known['guest']): Promise<Example | string> {
  const pools = await readPools(demo.product.db);
  const pick: Known['pick'] = (pool, index = 0) => pools[pool]?.at(index);
  const recipe = await RECIPES[route.operationId]?.({
    pools,
    pick,
    guest,
    inHours: (hours) => new Date(Date.now() + hours * 3_600_000).toISOString(),
    db: demo.product.db,
    forgottenOrder: () => failedOrder(demo, customerToken, 'NEVER_ENDED'),
    unsentOrder: () => failedOrder(demo, null, 'DEADLINE_PASSED'),
    exportToken: async () => {
      const { path } = await demo.admin.post<{ path: string }>('/exports/links', {
        kind: 'products',
        query: 'q=айран',
      });
      return new URL(path, demo.api.url).searchParams.get('token')!;
    },
  });
  const { sheet, ...filled } = recipe ?? {};
  const request = await complete(route, filled, pick);
  const missing = Object.entries(request.params ?? {}).filter(([, value]) => value === undefined);
  if (missing.length > 0) return `nothing to fill ${missing.map(([name]) => name).join(', ')} with`;
  const response = await send(
    route,
    { ...request, ...(sheet === undefined ? {} : { sheet }) },
    guest,
  );
  const isStream = route.mediaType === 'text/event-stream' && response.ok;
  const text = isStream ? await readBeginning(response) : await response.text();
  if (!response.ok) return `${response.status} ${text.slice(0, 1_500)}`;
  return presentable(route, {
    ...request,
    status: response.status,
    ...(text === ''
      ? {}
      : {
          answer: route.mediaType === 'text/csv' || isStream ? text : (JSON.parse(text) as unknown),
        }),
  });
}

/** Adds path parameters, the organization and the stored version. */
async function complete(route: Route, recipe: Recipe, pick: Known['pick']): Promise<Recipe> {
  const names = Object.keys(route.params?.properties ?? {});
  const fromPools = names.map(
    (name) => [name, pick(poolOfParameter(route.path, name) ?? '')] as const,
  );
  const params = { ...Object.fromEntries(fromPools), ...recipe.params };
  const wantsOrganization =
    route.api === 'public' && 'organization_id' in (route.query?.properties ?? {});
  const query = {
    ...(wantsOrganization ? { organization_id: demo.organizationId } : {}),
    ...recipe.query,
  };
  const body = (route.body as { required?: string[] } | undefined)?.required?.includes('version')
    ? { version: await storedVersion(route, params), ...(recipe.body as object) }
    : recipe.body;
  return {
    ...(names.length === 0 ? {} : { params }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
}

async function storedVersion(route: Route, params: Record<string, unknown>): Promise<number> {
  for (const path of [route.path, route.path.replace(/\/[a-z-]+\/order$|\/order$/, '')]) {
    const response = await demo.admin.raw('GET', address(path, params));
    const body = response.ok ? ((await response.json()) as { version?: number }) : {};
    if (body.version !== undefined) return body.version;
  }
  return 1;
}

function address(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
}

async function send(
  route: Route,
  { params = {}, query = {}, body, sheet }: Recipe,
  guest: Known['guest'],
): Promise<Response> {
  const { product, api, admin } = demo;
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  const url = `${api.url}${address(fullPath(route), params)}${search.size === 0 ? '' : `?${search.toString()}`}`;
  const isOwn = ['refresh', 'changePassword', 'logout'].includes(route.operationId);
  const session = isOwn ? await signIn(guest) : undefined;
  const secret =
    route.api === 'webhooks'
      ? product.env['WEBHOOK_SECRET']
      : route.api === 'public'
        ? customerToken
        : (session?.token ?? admin.accessToken);
  const headers: Record<string, string> = {
    ...(isOfGuests(route) && !isOwn ? {} : { authorization: `Bearer ${secret}` }),
    ...(session === undefined ? {} : { cookie: session.cookie }),
    ...(isKeyed(route) ? { 'idempotency-key': randomUUID() } : {}),
  };
  if (route.files !== undefined) {
    const form = new FormData();
    for (const [name, value] of Object.entries((body ?? {}) as object))
      form.append(name, String(value));
    const file = sheet === undefined ? [await smallPicture()] : [sheet];
    form.append(route.files.field, new Blob(file), route.files.example);
    return fetch(url, { method: route.method, headers, body: form });
  }
  if (body === undefined) return fetch(url, { method: route.method, headers });
  headers['content-type'] = 'application/json';
  return fetch(url, { method: route.method, headers, body: JSON.stringify(body) });
}

/** True if a request may, or must, be repeated with the same key. */
function isKeyed({ idempotent }: Route): boolean {
  return idempotent !== undefined;
}

/** True for a public operation. Carts and orders belong to the signed-in customer. */
function isOfGuests({ permission }: Route): boolean {
  return permission === 'public';
}

async function signIn(guest: Known['guest']): Promise<{ token: string; cookie: string }> {
  const response = await fetch(`${demo.api.url}/api/admin/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(guest),
  });
  if (!response.ok) throw new Error(`the guest cannot sign in: ${response.status}`);
  const { accessToken } = (await response.json()) as { accessToken: string };
  return { token: accessToken, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

async function write(recorded: Record<string, Example>): Promise<number> {
  const before = readExamples();
  let kept = 0;
  for (const [name, own] of Map.groupBy(routes, toExampleFile)) {
    const file = new URL(name, EXAMPLES_FOLDER);
    const entries = own.flatMap(({ operationId }) => {
      const [old, now] = [before[operationId], recorded[operationId]];
      const keeps = old !== undefined && (now === undefined || (!isForced && sameShape(old, now)));
      if (keeps) kept += 1;
      const example = keeps ? old : now;
      return example === undefined ? [] : [[operationId, example] as const];
    });
    if (entries.length === 0) continue;
    await writeFile(file, await formatted(name, JSON.stringify(Object.fromEntries(entries))));
  }
  // Removes files of operations that were renamed or have another tag.
  const names = new Set(routes.map(toExampleFile));
  for (const name of await readdir(EXAMPLES_FOLDER))
    if (!names.has(name)) await rm(new URL(name, EXAMPLES_FOLDER));
  return kept;
}
