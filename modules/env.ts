import { PROCESS_VARIABLES, TESTING_VARIABLES } from '../platform/env/process.ts';
import { HTTP_VARIABLES } from '../platform/env/http.ts';
import { DATABASE_VARIABLES } from '../platform/env/database.ts';
import { MEDIA_STORE_DEMANDS, MEDIA_STORE_VARIABLES } from '../platform/env/media-store.ts';
import { MEDIA_VARIABLES } from './media/env.ts';
import { TEMPORAL_DEMANDS, TEMPORAL_VARIABLES } from '../platform/env/temporal.ts';
import { ERP_VARIABLES } from '../erp/env.ts';
import { DELIVERY_VARIABLES, GEOCODER_DEMANDS, GEOCODER_VARIABLES } from './delivery/env.ts';
import { MIRROR_VARIABLES } from './mirror/env.ts';
import { EVENTS_VARIABLES } from '../kernel/env.ts';
import { ORDERING_VARIABLES } from './ordering/env.ts';
import { REBUILDS_VARIABLES } from './menus/rebuilds/env.ts';
import { MENUS_VARIABLES } from './menus/env.ts';
import { ACCESS_DEMANDS, ACCESS_VARIABLES } from './access/env.ts';
import {
  IDENTITY_PROVIDER_DEMANDS,
  IDENTITY_PROVIDER_VARIABLES,
} from '../platform/env/identity-provider.ts';
import { WEBHOOKS_VARIABLES } from './erp-webhooks/env.ts';
import {
  NOTIFY_CHANNELS_DEMANDS,
  NOTIFY_CHANNELS_VARIABLES,
} from '../platform/env/notify-channels.ts';
import { WEBHOOK_ENDPOINTS_VARIABLES } from './events/env.ts';
import { NOTIFICATIONS_VARIABLES } from './notifications/env.ts';
import { TRACING_VARIABLES } from '../platform/env/tracing.ts';
import { DEMO_VARIABLES } from '../platform/env/demo.ts';
import { readVariables } from '../platform/env/read-variables.ts';
import type { Source, ValuesOf, Variable } from '../platform/env/variables.ts';

/** `.env.example` and `docs/configuration.md` are generated from those that are not constants. */
export const VARIABLES = {
  ...PROCESS_VARIABLES,
  ...DATABASE_VARIABLES,
  ...MEDIA_STORE_VARIABLES,
  ...MEDIA_VARIABLES,
  ...TEMPORAL_VARIABLES,
  ...ERP_VARIABLES,
  ...GEOCODER_VARIABLES,
  ...DELIVERY_VARIABLES,
  ...MIRROR_VARIABLES,
  ...EVENTS_VARIABLES,
  ...ORDERING_VARIABLES,
  ...REBUILDS_VARIABLES,
  ...MENUS_VARIABLES,
  ...ACCESS_VARIABLES,
  ...IDENTITY_PROVIDER_VARIABLES,
  ...WEBHOOKS_VARIABLES,
  ...NOTIFY_CHANNELS_VARIABLES,
  ...NOTIFICATIONS_VARIABLES,
  ...WEBHOOK_ENDPOINTS_VARIABLES,
  ...HTTP_VARIABLES,
  ...TRACING_VARIABLES,
  ...DEMO_VARIABLES,
  ...TESTING_VARIABLES,
};

/** The variables that an operator may set. */
export const SETTABLE: Readonly<Record<string, Variable<unknown>>> = Object.fromEntries(
  Object.entries(VARIABLES).filter(
    ([, { isConstant }]: [string, Variable<unknown>]) => isConstant !== true,
  ),
);

const DEMANDS = [
  ...MEDIA_STORE_DEMANDS,
  ...TEMPORAL_DEMANDS,
  ...GEOCODER_DEMANDS,
  ...ACCESS_DEMANDS,
  ...IDENTITY_PROVIDER_DEMANDS,
  ...NOTIFY_CHANNELS_DEMANDS,
];

export type Env = ValuesOf<typeof VARIABLES>;

/**
 * Parses the environment, or only the `needed` variables. Throws EnvironmentError with all problems
 * at once.
 */
export function readEnv<const Needed extends keyof Env>(
  source: Source,
  needed: readonly Needed[] = Object.keys(VARIABLES) as Needed[],
): Pick<Env, Needed> {
  return readVariables(VARIABLES, DEMANDS, source, needed);
}
