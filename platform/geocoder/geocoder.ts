import { bulkhead, circuitBreaker, ConsecutiveBreaker, handleWhen, wrap } from 'cockatiel';
import type { GeocodedPlace, GeocoderKind, GeocoderQuery } from './kind.ts';
import type { GeocoderEnv } from '../env/geocoder.ts';
import { nominatim } from './nominatim.ts';
import { photon } from './photon.ts';

export type Geocoder = {
  /** Names the service and what its answers depend on; another one must not read the answers that are kept of this one. */
  name: string;
  /** Best first. Throws GeocoderUnavailable when the service does not answer in time or answers what cannot be read. */
  search(query: GeocoderQuery): Promise<GeocodedPlace[]>;
};

/** Why there is no answer; never with the address or the key. */
class GeocoderUnavailable extends Error {
  constructor(cause: unknown) {
    super('The geocoder does not answer', { cause });
    this.name = 'GeocoderUnavailable';
  }
}

/** The service works and refuses this question: asking it anything else may go well. */
class GeocoderRefusal extends Error {}

/** True when `error` is a GeocoderUnavailable of any realm. */
export function isGeocoderUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === 'GeocoderUnavailable';
}

const KINDS: Readonly<Record<Exclude<GeocoderEnv['GEOCODER'], 'none'>, GeocoderKind>> = { photon, nominatim };

/** So many failures in a row open the circuit for so long: then nobody waits for a service that is away. */
const FAILURES = 5;
const OPEN_MS = 15_000;
/** Requests at once, and so many that wait: a slow service must not collect the requests of all guests. */
const AT_ONCE = 8;
const WAITING = 32;
const LARGEST_ANSWER = 1_000_000;

/** The geocoder of the environment, null when none is configured. The key is sent as the parameter `key` and logged nowhere. */
export function createGeocoder(env: GeocoderEnv): Geocoder | null {
  if (env.GEOCODER === 'none' || env.GEOCODER_URL === null) return null;
  const kind = KINDS[env.GEOCODER];
  const base = `${env.GEOCODER_URL.replace(/\/$/, '')}${kind.path}`;
  const failures = handleWhen((error) => !(error instanceof GeocoderRefusal));
  const circuit = circuitBreaker(failures, { halfOpenAfter: OPEN_MS, breaker: new ConsecutiveBreaker(FAILURES) });
  const guarded = wrap(bulkhead(AT_ONCE, WAITING), circuit);
  return {
    name: `${env.GEOCODER} ${env.GEOCODER_URL}`,
    async search(query) {
      const parameters = new URLSearchParams(kind.parameters(query));
      if (env.GEOCODER_KEY !== null) parameters.set('key', env.GEOCODER_KEY);
      try {
        return await guarded.execute(async () => {
          const response = await fetch(`${base}?${parameters.toString()}`, {
            signal: AbortSignal.timeout(env.GEOCODER_TIMEOUT),
            redirect: 'error',
            headers: { accept: 'application/json', 'user-agent': 'carte' },
          });
          if (!response.ok) throw refusalOf(response.status);
          return kind.places(await boundedJson(response)).slice(0, query.limit);
        });
      } catch (error) {
        throw new GeocoderUnavailable(error);
      }
    },
  };
}

/** Only a service that is overloaded refuses whatever it is asked. */
const refusalOf = (status: number): Error => {
  const message = `The geocoder answered ${status}`;
  return status >= 400 && status < 500 && status !== 429 ? new GeocoderRefusal(message) : new Error(message);
};

/** The parsed body; throws when it is longer than any answer that we ask for. */
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
