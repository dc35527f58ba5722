import { takeInWindow } from '../../../kernel/window-count.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { GeocoderEnv } from '../env.ts';
import type { GeocoderUse } from './geocoder.ts';

const DAY_SECONDS = 24 * 3_600;
/** The rest is reserved for checkouts. */
const OTHERS_SHARE = 0.8;

/** Counts a call of any process; false if the share of the use is exhausted (FUL-65). */
export const geocoderBudget =
  (db: Sql, { GEOCODER_DAILY_CALLS: calls }: Pick<GeocoderEnv, 'GEOCODER_DAILY_CALLS'>) =>
  async (use: GeocoderUse): Promise<boolean> => {
    if (calls === null) return true;
    const most = use === 'CHECKOUT' ? calls : Math.floor(calls * OTHERS_SHARE);
    return takeInWindow(db, DAY_SECONDS, { kind: 'geocoder', of: 'calls', most });
  };
