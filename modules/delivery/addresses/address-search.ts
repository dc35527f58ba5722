import { DAY_MS } from '../../../kernel/pure/time.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { json, type Sql } from '../../../platform/db/database.ts';
import { isShareSpent, type Geocoder, type GeocoderUse } from './geocoder.ts';
import type { GeocodedPlace, GeocoderQuery } from '../rules/geocoder/kind.ts';
import { sharedRun } from '../../../platform/shared-run.ts';
import type { DeliveryEnv } from '../env.ts';

export type AddressSearch = {
  /** Returns the best match first. */
  search(query: GeocoderQuery, use: GeocoderUse): Promise<readonly GeocodedPlace[]>;
};

type Deps = {
  db: Sql;
  geocoder: Geocoder;
  env: Pick<DeliveryEnv, 'GEOCODER_CACHE_LIFE' | 'GEOCODER_CACHE_ROWS'>;
};

/** Short, because a missing house may be mapped later. */
const NOTHING_LIFE_MS = 3_600_000;
/** Increase this with the format of places; older results are then ignored. */
const SHAPE = 2;
const TRIM_EVERY = 100;

/**
 * Creates a geocoder that stores results, which also serve while the service is unavailable
 * (FUL-34). Stores only a digest of the query and the day (FUL-60). Equal queries share one call
 * (FUL-59).
 */
export function createAddressSearch({ db, geocoder, env }: Deps): AddressSearch {
  const shared = sharedRun<string, readonly GeocodedPlace[]>();
  let writeCount = 0;

  /** Rounds expiry times down to days, or to half of a life below two days. */
  async function keep(key: string, places: readonly GeocodedPlace[]): Promise<void> {
    const lifeMs =
      places.length === 0
        ? Math.min(NOTHING_LIFE_MS, env.GEOCODER_CACHE_LIFE)
        : env.GEOCODER_CACHE_LIFE;

    const stepMs = Math.max(1, Math.min(DAY_MS, lifeMs / 2));
    const milliseconds = sql`interval '1 millisecond'`;
    await sql`
      insert into geocoder_answer (key, places, expires_at)
      values (${key}, ${json(places)}::jsonb,
              date_bin(${stepMs} * ${milliseconds}, now() + ${lifeMs} * ${milliseconds}, timestamptz 'epoch'))
      on conflict (key) do update
        set places = excluded.places, created_at = excluded.created_at, expires_at = excluded.expires_at`.execute(
      db.db,
    );

    writeCount += 1;
    if (writeCount % TRIM_EVERY === 0) await trim(key);
  }

  async function trim(newest: string): Promise<void> {
    await sql`
      delete from geocoder_answer where key in (
        select key from geocoder_answer where key <> ${newest}
         order by created_at desc, key offset ${env.GEOCODER_CACHE_ROWS - 1})`.execute(db.db);
  }

  async function findPlaces(
    key: string,
    query: GeocoderQuery,
    use: GeocoderUse,
  ): Promise<readonly GeocodedPlace[]> {
    const answer = await db.db
      .selectFrom('geocoder_answer')
      .select('places')
      .where('key', '=', key)
      .where('expiresAt', '>', sql<Date>`now()`)
      .executeTakeFirst();
    if (answer !== undefined) return answer.places;

    const places = await geocoder.search(query, use);
    await keep(key, places);

    return places;
  }

  return {
    async search(query, use) {
      const text = query.text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
      // Services reject empty queries, and the rejections would open the circuit.
      if (!/[\p{L}\p{N}]/u.test(text)) return [];
      const near = query.near?.map((degrees) => degrees.toFixed(1)) ?? null;
      const question = JSON.stringify([SHAPE, geocoder.name, text, query.limit, near]);
      const key = createHash('sha256').update(question).digest('base64url');
      let isOwn = false;
      const run = (name: string) =>
        shared(name, () => {
          isOwn = true;
          return findPlaces(key, { ...query, text }, use);
        });

      try {
        return await run(key);
      } catch (error) {
        // The shared call may have been limited to a smaller share of the budget.
        if (isOwn || use === 'OTHER' || !isShareSpent(error)) throw error;
        return run(`${key} ${use}`);
      }
    },
  };
}
