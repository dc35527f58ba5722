import { setTimeout as delay } from 'node:timers/promises';

export type Page<Item> = { items: Item[]; page: number; size: number; total: number };

/** Calls the admin API of a running product. Requests and responses are JSON. */
export type AdminApi = {
  get<T>(path: string): Promise<T>;
  all<T>(path: string): Promise<T[]>;
  /** `idempotencyKey` makes a create safe to repeat. */
  post<T>(path: string, body: unknown, idempotencyKey?: string): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  upload<T>(
    path: string,
    file: { name: string; type: string; bytes: Buffer },
    fields: Record<string, string>,
  ): Promise<T>;
};

/**
 * An answer outside 2xx. `kind` is the last segment of the problem's type; the message is a part
 * of a sentence.
 */
export class AdminApiError extends Error {
  readonly status: number;
  readonly kind: string;
  constructor(request: string, status: number, text: string) {
    const { type = '', detail, errors = [] } = parseProblem(text);
    const reasons =
      errors.length === 0 ? [detail ?? text.slice(0, 500)] : errors.map((error) => error.message);
    super(`${request} answered ${status} (${reasons.join('; ')})`);
    this.name = 'AdminApiError';
    this.status = status;
    this.kind = type.slice(type.lastIndexOf('/') + 1);
  }
}

type Refusal = { type?: string; detail?: string; errors?: { message: string }[] };

/** Returns the problem, which is missing if another host has answered. */
function parseProblem(text: string): Refusal {
  try {
    return (JSON.parse(text) ?? {}) as Refusal;
  } catch {
    return {};
  }
}

/**
 * Signs in and returns a client. Waits if the server requires it (429, 503 with Retry-After).
 * Throws AdminApiError for all other rejections.
 */
export async function signIn(baseUrl: string, email: string, password: string): Promise<AdminApi> {
  const prefix = `${baseUrl}/api/admin/v1`;
  const { accessToken } = await request<{ accessToken: string }>(prefix, 'POST', '/auth/login', {
    ...json({ email, password }),
  });
  const send = <T>(method: string, path: string, init: RequestInit = {}) =>
    request<T>(prefix, method, path, {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        authorization: `Bearer ${accessToken}`,
      },
    });

  return {
    get: (path) => send('GET', path),
    async all<T>(path: string) {
      const items: T[] = [];
      for (let page = 1; ; page += 1) {
        const separator = path.includes('?') ? '&' : '?';
        const found = await send<Page<T>>('GET', `${path}${separator}page=${page}&size=200`);
        items.push(...found.items);
        if (found.items.length === 0 || items.length >= found.total) return items;
      }
    },
    post: (path, body, idempotencyKey) =>
      send(
        'POST',
        path,
        json(body, idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ),
    patch: (path, body) => send('PATCH', path, json(body)),
    put: (path, body) => send('PUT', path, json(body)),
    upload(path, { name, type, bytes }, fields) {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
      return send('POST', path, { body: form });
    },
  };
}

function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
}

async function request<T>(
  prefix: string,
  method: string,
  path: string,
  init: RequestInit,
): Promise<T> {
  const response = await patientFetch(prefix + path, { ...init, method });
  const text = await response.text();
  if (!response.ok) throw new AdminApiError(`${method} ${path}`, response.status, text);
  return JSON.parse(text) as T;
}

/** Runs `work` for all items, at most `width` at once. Stops at the first failure and throws it. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await work(item);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };

  await Promise.all(Array.from({ length: width }, lane));
}

/** The product's windows are a minute long; a longer wait has another cause. */
const LONGEST_WAIT_SECONDS = 90;

/**
 * Fetches, and retries after 429 or 503 with a `Retry-After` of at most 90 seconds. Returns all
 * other responses, including rejections.
 */
export async function patientFetch(url: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (![429, 503].includes(response.status) || !(wait <= LONGEST_WAIT_SECONDS)) return response;
    await response.body?.cancel();
    await delay(Math.max(wait, 0.2) * 1000, undefined, init.signal ? { signal: init.signal } : {});
  }
}
