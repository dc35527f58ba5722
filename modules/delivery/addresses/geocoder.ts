import {
  bulkhead,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  wrap,
  type IPolicy,
} from 'cockatiel';
import type { GeocodedPlace, GeocoderKind, GeocoderQuery } from '../rules/geocoder/kind.ts';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { GeocoderEnv } from '../env.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { nominatim } from '../rules/geocoder/nominatim.ts';
import { photon } from '../rules/geocoder/photon.ts';

/** A share of the calls is reserved for CHECKOUT (FUL-63). */
export type GeocoderUse = 'CHECKOUT' | 'OTHER';

export type Geocoder = {
  /** Part of the cache key: everything that results depend on. */
  name: string;
  /** Returns the best match first. Throws GeocoderUnavailable. */
  search(query: GeocoderQuery, use: GeocoderUse): Promise<GeocodedPlace[]>;
};

export type GeocoderDeps = {
  metrics: Pick<Metrics, 'geocoderCalls'>;
  takeCall: (use: GeocoderUse) => Promise<boolean>;
};

/** Label values of `carte_geocoder_calls_total`. */
type Failure = 'failed' | 'refused' | 'budget_spent' | 'not_called';

/** The message must not contain the address or the key. */
class GeocoderUnavailable extends Error {
  readonly failure: Failure;
  constructor(cause: unknown) {
    super('The geocoder does not answer', { cause });
    this.name = 'GeocoderUnavailable';
    this.failure = classifyFailure(cause);
  }
}

/** Thrown if the service rejects only this request. */
class GeocoderRefusal extends Error {}

class BudgetSpent extends Error {}

class RepeatedFault extends Error {}

/** Thrown instead of sending a text that failed repeatedly. */
class TextRests extends Error {}

const classifyFailure = (cause: unknown): Failure => {
  if (cause instanceof BudgetSpent) return 'budget_spent';
  if (cause instanceof GeocoderRefusal) return 'refused';
  return cause instanceof TextRests || isBrokenCircuitError(cause) || isBulkheadRejectedError(cause)
    ? 'not_called'
    : 'failed';
};

/** Returns the failure for guests, or null for other errors. Works across realms. */
export function geocoderFailure(
  error: unknown,
): 'GEOCODER_UNAVAILABLE' | 'GEOCODER_BUDGET_SPENT' | null {
  if (!(error instanceof Error) || error.name !== 'GeocoderUnavailable') return null;
  return (error as GeocoderUnavailable).failure === 'budget_spent'
    ? 'GEOCODER_BUDGET_SPENT'
    : 'GEOCODER_UNAVAILABLE';
}

/** Returns true if a request with a larger share may still succeed. */
export function isShareSpent(error: unknown): boolean {
  const isOurs = error instanceof Error && error.name === 'GeocoderUnavailable';
  return isOurs && ['budget_spent', 'not_called'].includes((error as GeocoderUnavailable).failure);
}

const KINDS: Readonly<Record<Exclude<GeocoderEnv['GEOCODER'], 'none'>, GeocoderKind>> = {
  photon,
  nominatim,
};

const FAILURES = 5;
const OPEN_MS = 15_000;
const AT_ONCE = 8;
const WAITING = 32;
const OTHERS_AT_ONCE = 6;
const OTHERS_WAITING = 24;
const LARGEST_ANSWER = 1_000_000;
const REMEMBERED_TEXTS = 1_000;
const REMEMBERED_MS = 600_000;

type Faults = { count: number; at: number };
const NO_FAULTS: Faults = { count: 0, at: 0 };

export function createGeocoder(
  env: GeocoderEnv,
  { metrics, takeCall }: GeocoderDeps,
): Geocoder | null {
  if (env.GEOCODER === 'none' || env.GEOCODER_URL === null) return null;
  const kind = KINDS[env.GEOCODER];
  const base = `${env.GEOCODER_URL.replace(/\/$/, '')}${kind.path}`;
  const isOfService = (error: unknown) =>
    !(
      error instanceof GeocoderRefusal ||
      error instanceof BudgetSpent ||
      error instanceof RepeatedFault
    );

  const circuit = circuitBreaker(handleWhen(isOfService), {
    halfOpenAfter: OPEN_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  });

  const everybody = bulkhead(AT_ONCE, WAITING);
  const guarded: Readonly<Record<GeocoderUse, IPolicy>> = {
    CHECKOUT: wrap(everybody, circuit),
    OTHER: wrap(bulkhead(OTHERS_AT_ONCE, OTHERS_WAITING), everybody, circuit),
  };

  const remembered = boundedCache<string, Faults>(REMEMBERED_TEXTS);
  const readFaults = (text: string): Faults => {
    const faults = remembered.get(text) ?? NO_FAULTS;
    return Date.now() - faults.at < REMEMBERED_MS ? faults : NO_FAULTS;
  };

  async function call(query: GeocoderQuery): Promise<GeocodedPlace[]> {
    const parameters = new URLSearchParams(kind.parameters(query));
    if (env.GEOCODER_KEY !== null) parameters.set('key', env.GEOCODER_KEY);
    const response = await fetch(`${base}?${parameters.toString()}`, {
      signal: AbortSignal.timeout(env.GEOCODER_TIMEOUT),
      redirect: 'error',
      headers: { accept: 'application/json', 'user-agent': 'carte' },
    });
    if (!response.ok) throw toError(response.status);

    return kind.places(await boundedJson(response)).slice(0, query.limit);
  }

  /** FUL-64. */
  async function callOnce(query: GeocoderQuery): Promise<GeocodedPlace[]> {
    try {
      const places = await call(query);
      remembered.set(query.text, NO_FAULTS);
      return places;
    } catch (error) {
      if (error instanceof GeocoderRefusal) throw error;
      const { count } = readFaults(query.text);
      remembered.set(query.text, { count: count + 1, at: Date.now() });
      throw count === 0 ? error : new RepeatedFault('The text has failed before', { cause: error });
    }
  }

  return {
    name: `${env.GEOCODER} ${env.GEOCODER_URL}`,
    async search(query, use) {
      try {
        const { count, at } = readFaults(query.text);
        if (count >= FAILURES && Date.now() - at < OPEN_MS)
          throw new TextRests('The text has failed repeatedly');
        const places = await guarded[use].execute(async () => {
          if (!(await takeCall(use))) throw new BudgetSpent('The daily budget is used up');
          return callOnce(query);
        });

        metrics.geocoderCalls.inc({ use, outcome: 'answered' });

        return places;
      } catch (error) {
        const unavailable = new GeocoderUnavailable(error);
        metrics.geocoderCalls.inc({ use, outcome: unavailable.failure });
        throw unavailable;
      }
    },
  };
}

/** Other 4xx responses than 429 (overload) reject only one request. */
const toError = (status: number): Error => {
  const message = `The geocoder answered ${status}`;
  return status >= 400 && status < 500 && status !== 429
    ? new GeocoderRefusal(message)
    : new Error(message);
};

async function boundedJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;

  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > LARGEST_ANSWER) throw new Error('The answer of the geocoder is too long');
    chunks.push(chunk);
  }

  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
