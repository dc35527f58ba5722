import type { Problem, ProblemKind } from './generated/problem.ts';
import { pause } from './pause.ts';

export * from './scalars.ts';

/** Thrown for every answer other than a success. */
export class ProblemError extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly problem: Problem;
  /** Seconds until a retry is useful; null if the server does not specify them. */
  readonly retryAfter: number | null;
  constructor(problem: Problem, retryAfter: number | null) {
    super(
      `${problem.title}: ${problem.detail}${describeFields(problem)}${describeSource(problem)}`,
    );
    this.name = 'ProblemError';
    this.kind = problem.type.slice(problem.type.lastIndexOf('/') + 1) as ProblemKind;
    this.status = problem.status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

function describeSource({ instance, requestId }: Problem): string {
  const parts = [instance, requestId === '' ? '' : `request ${requestId}`].filter(
    (part) => part !== '',
  );
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function describeFields({ errors = [], errorsOmitted = 0 }: Problem): string {
  if (errors.length === 0) return '';
  const shown = errors.slice(0, 3);
  const more = errors.length - shown.length + errorsOmitted;
  const texts = shown.map(({ field, message }) => `${field} ${message}`);
  return ` (${texts.join('; ')}${more === 0 ? '' : `; ${more} more`})`;
}

/** Returns true for a rejection, optionally of one of `kinds`. */
export function isProblem(error: unknown, ...kinds: ProblemKind[]): error is ProblemError {
  return error instanceof ProblemError && (kinds.length === 0 || kinds.includes(error.kind));
}

/** Statuses of answers with data, unlike 304. */
export type SuccessStatus = 200 | 201 | 202 | 204;

export type Answer<Data> = {
  status: SuccessStatus;
  data: Data;
  etag: string | null;
  headers: Headers;
};

/** The answer to a call with `ifNoneMatch` if the data has not changed. */
export type NotModified = { status: 304; data: null; etag: string | null; headers: Headers };

export type CallOptions = {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
};

/**
 * Options of creates. A repeated request with the same key gets the same answer and creates
 * nothing.
 */
export type CreateOptions = CallOptions & { idempotencyKey?: string | undefined };
/** The key is required, because the call must never be executed twice. */
export type KeyedOptions = CallOptions & { idempotencyKey: string };
/** Options of public reads. `ifNoneMatch` is the `etag` of the caller's cached answer. */
export type ReadOptions = CallOptions & { ifNoneMatch?: string | null | undefined };
/** The answer can be 304 only if an ETag was sent. */
export type ReadAnswer<Data, Options> = Options extends { ifNoneMatch: string | null | undefined }
  ? Answer<Data> | NotModified
  : Answer<Data>;

export type TransportOptions = {
  /** Scheme, host and port of the API. */
  baseUrl: string;
  /**
   * The access token, or a function that returns it. After a 401, the function is called again,
   * once per call.
   */
  accessToken?: string | ((refused: string | null) => string | Promise<string>) | undefined;
  /**
   * Language of the texts for guests, `ru` or `en`, or a function that returns it for each call.
   * By default, a browser sends the languages of its user.
   */
  language?: string | (() => string) | undefined;
  fetch?: typeof fetch | undefined;
  /**
   * Milliseconds after which a call without an answer fails with a `TimeoutError`. Default
   * 30,000, for uploads 120,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Number of retries if the server rejects a call temporarily (429, 503 with `Retry-After`), 2 by
   * default. Calls that are not idempotent are retried only after 429. The caller must wait itself
   * if more than 10 s are required.
   */
  retries?: number | undefined;
};

const TIMEOUT_MS = 30_000;
/** 10 MB over 1 Mbit/s take 84 s. */
const UPLOAD_TIMEOUT_MS = 120_000;
const RETRIES = 2;
const LONGEST_WAIT_SECONDS = 10;

export type Page<Item> = {
  items: Item[];
  page: number;
  size: number;
  /** Number of items on all pages. */
  total: number;
};

export type Paging = {
  /** From 1. */
  page?: number | undefined;
  size?: number | undefined;
};

/** Parameters in `{…}` are part of the path, others of the query. */
export type Call = {
  method: string;
  path: string;
  params?: object;
  body?: unknown;
  isForm?: boolean;
  /** True for an event stream, whose time-out ends when it begins. */
  isStream?: boolean;
};

/** `eventsOf` reads its events. */
export type EventStream = ReadableStream<Uint8Array>;

type AnyOptions = CreateOptions & ReadOptions;

/**
 * Sends calls with `fetch` and converts rejections to {@link ProblemError}. Independent of
 * operations.
 */
class Transport {
  readonly #options: TransportOptions;
  readonly #credentials: 'omit' | 'include';
  /**
   * Only the admin API uses the session cookie. The storefront API answers all origins, which
   * browsers reject if a request has credentials.
   */
  constructor(options: TransportOptions, credentials: 'omit' | 'include') {
    this.#options = options;
    this.#credentials = credentials;
  }

  /** Throws ProblemError for a rejection. Rethrows the error of `fetch` if there is no answer. */
  async call<Result>(call: Call, options: AnyOptions = {}): Promise<Result> {
    const { accessToken } = this.#options;
    const token =
      typeof accessToken === 'function' ? await accessToken(null) : (accessToken ?? null);
    const answer = await this.#sendPatiently(call, options, token);
    if (answer.status !== 401 || token === null || typeof accessToken !== 'function')
      return (await toAnswer(answer)) as Result;
    await answer.body?.cancel();

    return (await toAnswer(
      await this.#sendPatiently(call, options, await accessToken(token)),
    )) as Result;
  }

  /** Retries the call if the server requests it and the retry is safe. */
  async #sendPatiently(call: Call, options: AnyOptions, token: string | null): Promise<Response> {
    for (let left = this.#options.retries ?? RETRIES; ; left -= 1) {
      const answer = await this.#send(call, options, token);
      const seconds = Number(answer.headers.get('Retry-After') ?? Number.NaN);
      const isSafe =
        answer.status === 429 || (answer.status === 503 && isRepeatable(call, options));
      if (left <= 0 || !isSafe || !(seconds <= LONGEST_WAIT_SECONDS)) return answer;
      await answer.body?.cancel();
      await pause(seconds * 1_000, options.signal);
      options.signal?.throwIfAborted();
    }
  }

  #send(call: Call, options: AnyOptions, token: string | null): Promise<Response> {
    const {
      baseUrl,
      language,
      fetch: send = fetch,
      timeoutMs = call.isForm === true ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS,
    } = this.#options;

    const { signal, answered } = limitedSignal(timeoutMs, options.signal, call.isStream === true);
    const answer = send(baseUrl.replace(/\/$/, '') + buildUrl(call), {
      method: call.method,
      headers: {
        ...(call.body === undefined || call.isForm === true
          ? {}
          : { 'Content-Type': 'application/json' }),
        ...(language === undefined
          ? {}
          : { 'Accept-Language': typeof language === 'function' ? language() : language }),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(options.idempotencyKey === undefined
          ? {}
          : { 'Idempotency-Key': options.idempotencyKey }),
        ...(options.ifNoneMatch == null ? {} : { 'If-None-Match': options.ifNoneMatch }),
        ...options.headers,
      },
      body:
        call.body === undefined
          ? null
          : call.isForm === true
            ? toForm(call.body)
            : JSON.stringify(call.body),
      signal,
      credentials: this.#credentials,
    });

    return answer.finally(answered);
  }
}

/**
 * Aborts with `signal`, and after `ms` with a `TimeoutError`. The time covers the whole answer, or
 * the start of a stream.
 */
function limitedSignal(
  ms: number,
  signal: AbortSignal | undefined,
  isStream: boolean,
): { signal: AbortSignal; answered: () => void } {
  const others = signal === undefined ? [] : [signal];
  if (!isStream)
    return {
      signal: AbortSignal.any([...others, AbortSignal.timeout(ms)]),
      answered: () => undefined,
    };

  const begin = new AbortController();
  const timer = setTimeout(
    () => begin.abort(new DOMException('The stream did not begin.', 'TimeoutError')),
    ms,
  );

  return {
    signal: AbortSignal.any([...others, begin.signal]),
    answered: () => clearTimeout(timer),
  };
}

const isRepeatable = ({ method }: Call, { idempotencyKey }: AnyOptions): boolean =>
  ['GET', 'PUT', 'DELETE'].includes(method) || idempotencyKey !== undefined;

function buildUrl({ path, params = {} }: Call): string {
  const left = new Map(Object.entries(params));
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value: unknown = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  });

  const query = new URLSearchParams();

  for (const [name, value] of left)
    for (const entry of [value].flat())
      if (entry !== undefined && entry !== null) query.append(name, String(entry));

  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

function toForm(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body as Record<string, unknown>))
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined) form.append(name, String(value as string | number | boolean));
  return form;
}

async function toAnswer(answer: Response): Promise<Answer<unknown> | NotModified> {
  const { status, headers } = answer;
  const common = { etag: headers.get('ETag'), headers };
  if (status === 304) return { ...common, status, data: null };
  if (answer.ok && headers.get('Content-Type')?.startsWith('text/event-stream') === true)
    return { ...common, status: status as SuccessStatus, data: answer.body };
  const text = await answer.text();
  if (answer.ok)
    return {
      ...common,
      status: status as SuccessStatus,
      data: parseData(answer, text),
    };

  const wait = Number(headers.get('Retry-After') ?? Number.NaN);

  throw new ProblemError(toProblem(answer, text), Number.isNaN(wait) ? null : wait);
}

/**
 * Returns the data of an answer. Sheets are text. A page from another host, such as a network's
 * sign-in page, counts as a temporary rejection.
 */
function parseData(answer: Response, text: string): unknown {
  if (answer.headers.get('Content-Type')?.startsWith('text/csv') === true) return text;
  if (text === '') return undefined;

  try {
    return JSON.parse(text) as unknown;
  } catch {
    const problem = toProblem(answer, text);
    const detail = `Something other than the API answered: ${problem.detail}`;

    throw new ProblemError(
      { ...problem, type: UNAVAILABLE, title: 'Not an answer of the API', status: 502, detail },
      null,
    );
  }
}

const UNAVAILABLE = '/problems/unavailable';

/** Returns the problem of an answer, which another host may have sent in its own format. */
function toProblem(answer: Response, text: string): Problem {
  if (answer.headers.get('Content-Type')?.includes('application/problem+json') === true)
    return JSON.parse(text) as Problem;
  const { status, statusText, headers } = answer;

  return {
    type: status >= 500 ? UNAVAILABLE : '/problems/not-found',
    title: statusText === '' ? `Status ${status}` : statusText,
    status,
    detail: text.slice(0, 500),
    instance: answer.url === '' ? '' : new URL(answer.url).pathname,
    requestId: headers.get('X-Request-Id') ?? '',
  };
}

type Shape = { params?: object; body?: unknown; data: unknown };
/** The kind of an operation, which determines its options. */
type Kind = 'call' | 'create' | 'keyed' | 'read';

/** An operation as data. The types describe the input and the answer of its method. */
export type Operation<Of extends Shape, OptionsOf extends Kind = 'call'> = {
  /** Method and path, for example `PATCH /badges/{id}`. */
  request: string;
  /** Arguments before the options, in this order. */
  takes: readonly ('params' | 'body')[];
  isForm?: boolean;
  isStream?: boolean;
  /** Exists only for the compiler. */
  types?: { of: Of; kind: OptionsOf };
};

/** Declares an operation without parameters. */
export const plain = <Data>(request: string): Operation<{ data: Data }> => ({ request, takes: [] });
export const withParams = <Params extends object, Data>(
  request: string,
): Operation<{ params: Params; data: Data }> => ({ request, takes: ['params'] });

export const withBody = <Body, Data>(request: string): Operation<{ body: Body; data: Data }> => ({
  request,
  takes: ['body'],
});

export const withBoth = <Params extends object, Body, Data>(
  request: string,
): Operation<{ params: Params; body: Body; data: Data }> => ({
  request,
  takes: ['params', 'body'],
});

export const read = <Of extends Shape>(operation: Operation<Of>): Operation<Of, 'read'> =>
  operation as Operation<Of, never>;
export const create = <Of extends Shape>(operation: Operation<Of>): Operation<Of, 'create'> =>
  operation as Operation<Of, never>;
/** Adds a required idempotency key. */
export const keyed = <Of extends Shape>(operation: Operation<Of>): Operation<Of, 'keyed'> =>
  operation as Operation<Of, never>;

export const form = <Of extends Shape>(operation: Operation<Of>): Operation<Of> => ({
  ...operation,
  isForm: true,
});

/** The answer is an event stream. */
export const stream = <Of extends Shape>(operation: Operation<Of>): Operation<Of> => ({
  ...operation,
  isStream: true,
});

/** Optional if all parameters are. */
type Params<Of> = Of extends { params: infer Value }
  ? object extends Value
    ? [params?: Value]
    : [params: Value]
  : [];

type Body<Of> = Of extends { body: infer Value }
  ? object extends Value
    ? [body?: Value]
    : [body: Value]
  : [];

type Given<Of extends Shape> = [...Params<Of>, ...Body<Of>];

type Method<Of extends Shape, OptionsOf extends Kind> = OptionsOf extends 'read'
  ? <Options extends ReadOptions = CallOptions>(
      ...given: [...Given<Of>, options?: Options]
    ) => Promise<ReadAnswer<Of['data'], Options>>
  : OptionsOf extends 'keyed'
    ? (...given: [...Given<Of>, options: KeyedOptions]) => Promise<Answer<Of['data']>>
    : (
        ...given: [...Given<Of>, options?: OptionsOf extends 'create' ? CreateOptions : CallOptions]
      ) => Promise<Answer<Of['data']>>;

/** A method for each operation, by its id. */
export type Api<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends Operation<infer Of, infer OptionsOf>
    ? Method<Of, OptionsOf>
    : never;
};

/** Returns a class with one method per operation. `prefix` is the start of all paths. */
export function apiOf<Operations extends Record<string, Operation<Shape, Kind>>>(
  prefix: string,
  credentials: 'omit' | 'include',
  operations: Operations,
): new (options: TransportOptions) => Api<Operations> {
  const Class = class {
    constructor(options: TransportOptions) {
      const transport = new Transport(options, credentials);
      for (const [id, { request, takes, isForm = false, isStream = false }] of Object.entries(
        operations,
      )) {
        const [method = '', path = ''] = request.split(' ');
        const send = (...given: unknown[]) => {
          const parts = Object.fromEntries(takes.map((part, at) => [part, given[at] ?? {}]));
          return transport.call(
            { method, path: prefix + path, isForm, isStream, ...parts },
            given[takes.length] as AnyOptions,
          );
        };

        Object.defineProperty(this, id, { value: send, enumerable: true });
      }
    }
  };

  return Class as new (options: TransportOptions) => Api<Operations>;
}
