import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { TSchema } from 'typebox';
import type { Clocks } from '../../../modules/delivery/hours/fulfillment-store.ts';
import type { ServedClock } from '../../../modules/delivery/hours/served-clock.ts';
import { StorefrontContext } from '../../../modules/delivery/schemas/context.ts';
import { DeliverySlots, OrderingStatus } from '../../../modules/delivery/schemas/hours.ts';
import { languageIn, type GuestLanguage } from '../../../kernel/guest-language.ts';
import { Problem } from '../../../kernel/problem.ts';
import { FULFILLMENT_TYPES } from '../../../modules/delivery/rules/status.ts';
import type { Env } from '../../../modules/env.ts';
import { readCaller } from '../caller.ts';
import { createHotAnswers } from '../hot/hot-answers.ts';
import { uncachedHeaders, type RawHeaders } from '../hot/hot-headers.ts';
import { bestEncoding, type Encoding } from '../hot/hot-negotiation.ts';
import { createHotMetrics } from '../hot/hot-metrics.ts';
import type { HotPathDeps } from '../hot/hot-path.ts';
import { readHotHeaders } from '../hot/hot-request.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { chooseRequestId } from '../request-id.ts';
import { createSerializer } from '../serializer.ts';
import type { HotPath } from '../server.ts';

export type LivePathDeps = Pick<HotPathDeps, 'metrics'> & {
  clocks: Pick<Clocks, 'find'>;
  env: Pick<Env, 'PUBLIC_ORIGINS' | 'TRUST_PROXY'>;
  limits: Pick<RateLimits, 'counter' | 'count'>;
};

type Question = {
  path: string;
  route: string;
  erpId: string;
  write: (clock: ServedClock, at: number) => string;
};

type Packed = { headers: RawHeaders; body: Buffer };

/** The response for one second in one language, with its encodings. */
type Kept = {
  question: Question;
  language: GuestLanguage | null;
  clock?: ServedClock;
  at: number;
  body: Buffer;
  packed: Map<Encoding, Packed>;
};

const PACKED_FROM_BYTES = 256;

/** Fast, because responses live for a second. */
const PACKERS: Readonly<Record<Encoding, (body: Buffer) => Buffer>> = {
  identity: (body) => body,
  gzip: (body) => gzipSync(body, { level: 1 }),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

const OFFERED = Object.keys(PACKERS) as Encoding[];

/** Rounds ms down to a second. */
export const beginningOfSecond = (now: number): number => Math.floor(now / 1_000) * 1_000;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const IS_UUID = new RegExp(`^${UUID}$`);
const STATUS = new RegExp(`^/api/v1/organizations/(${UUID})/status$`);
const SLOTS = '/api/v1/delivery/slots?';
const CONTEXT = new RegExp(`^(/api/v1/context)\\?organization_id=(${UUID})$`);

const writer = (schema: TSchema) => createSerializer(schema, false);
const writeStatus = writer(OrderingStatus);
const writeSlots = writer(DeliverySlots);
const writeContext = writer(StorefrontContext);

function parseQuestion(url: string): Question | undefined {
  const [, erpId] = STATUS.exec(url) ?? [];
  if (erpId !== undefined)
    return {
      path: url,
      route: 'GET /organizations/{id}/status',
      erpId,
      write: (clock, at) => writeStatus(clock.status(at)),
    };

  const [, contextPath, contextOf] = CONTEXT.exec(url) ?? [];
  if (contextPath !== undefined && contextOf !== undefined)
    return {
      path: contextPath,
      route: 'GET /context',
      erpId: contextOf,
      write: (clock, at) => writeContext(clock.context(at)),
    };

  if (!url.startsWith(SLOTS)) return undefined;
  const parameters = [...new URLSearchParams(url.slice(SLOTS.length))];
  const { organization_id: id = '', type: typeName } = Object.fromEntries(parameters);
  const type = FULFILLMENT_TYPES.find((entry) => entry === typeName);
  if (parameters.length !== 2 || type === undefined || !IS_UUID.test(id)) return undefined;

  return {
    path: SLOTS.slice(0, -1),
    route: 'GET /delivery/slots',
    erpId: id,
    write: (clock, at) => writeSlots(clock.slots(type, at)),
  };
}

/** Number of kept responses, a few KB each. */
const KEPT_LIMIT = 5_000;
const URL_CHARACTERS = 200;

/**
 * Serves order intake, slots and context before Koa, rendered once a second (rules FUL-17,
 * HTTP-32). Returns false otherwise.
 */
export function createLivePath({ clocks, env, limits, metrics }: LivePathDeps): {
  handle: HotPath;
  stop: () => void;
} {
  const counts = createHotMetrics(metrics);
  const answers = createHotAnswers(env, counts);
  const responses = new Map<string, Kept>();
  const counter = limits.counter('public');

  function keptFor(url: string, language: GuestLanguage | null): Kept | undefined {
    const key = language === null ? url : `${language} ${url}`;
    const cached = responses.get(key);
    if (cached !== undefined || url.length > URL_CHARACTERS) return cached;
    const question = parseQuestion(url);
    if (question === undefined) return undefined;
    if (responses.size >= KEPT_LIMIT) responses.clear();
    const empty = { question, language, at: 0, body: Buffer.alloc(0), packed: new Map() };
    responses.set(key, empty);

    return empty;
  }

  /** Returns false for an unknown organization. */
  function write(answer: Kept, now: number): boolean {
    const clock = clocks.find(answer.question.erpId, answer.language);
    if (clock === undefined) return false;
    const at = beginningOfSecond(now);
    if (answer.at === at && answer.clock === clock) return true;
    answer.body = Buffer.from(answer.question.write(clock, at));
    answer.packed.clear();
    answer.clock = clock;
    answer.at = at;

    return true;
  }

  function packedFor(answer: Kept, acceptEncoding: string | undefined): Packed {
    const encoding =
      answer.body.length < PACKED_FROM_BYTES ? 'identity' : bestEncoding(acceptEncoding, OFFERED);
    const cached = answer.packed.get(encoding);
    if (cached !== undefined) return cached;
    const body = PACKERS[encoding](answer.body);
    const extra = encoding === 'identity' ? {} : { 'content-encoding': encoding };
    const type = 'application/json; charset=utf-8';
    const packed = {
      headers: uncachedHeaders({ type, bytes: body.length, extra }, counter, env),
      body,
    };

    answer.packed.set(encoding, packed);

    return packed;
  }

  function isReady(answer: Kept, now: number): boolean {
    try {
      return write(answer, now);
    } catch {
      // Koa meets the same fault and logs it.
      return false;
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET') return false;
    const headers = readHotHeaders(request.rawHeaders);
    const answer = keptFor(request.url ?? '', languageIn(headers.acceptLanguage));
    if (answer === undefined || !isReady(answer, Date.now())) return false;
    const read = answer.question;
    const counted = limits.count('public', readCaller(request, env.TRUST_PROXY));
    const exchange = {
      request,
      response,
      read,
      headers,
      id: chooseRequestId(headers.requestId),
      ...counted,
    };

    const { budget } = counted;
    if (budget !== null && !budget.allowed) answers.refuse(exchange, new Problem('rate-limited'));
    else {
      const packed = packedFor(answer, headers.acceptEncoding);
      answers.end(exchange, 200, packed.headers, packed.body);
    }

    return true;
  }

  return { handle, stop: () => counts.stop() };
}
