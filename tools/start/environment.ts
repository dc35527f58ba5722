import { StartFailure } from '../../platform/start-failure.ts';
import { readEnv, VARIABLES, type Env } from '../../modules/env.ts';

const OWN = [
  'HOST', 'PORT', 'OPS_HOST', 'OPS_PORT', 'CARTE_DATA_DIR', 'TEMPORAL_NAMESPACE', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'DEMO', 'NODE_ENV', 'SHUTDOWN_GRACE',
] as const; // oxfmt-ignore

/**
 * Validates all set variables, so that mistakes end the start with a full list. Throws
 * EnvironmentError.
 */
export function startEnvironment(environment: NodeJS.ProcessEnv): Pick<Env, (typeof OWN)[number]> {
  const known = (Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]).filter(
    (name) => environment[name] || VARIABLES[name].fallback !== null,
  );
  return readEnv(environment, [...new Set([...OWN, ...known])]);
}

export function portAsked(
  environment: NodeJS.ProcessEnv,
  name: 'EMULATOR_PORT' | 'EMULATOR_CUSTOMERS_PORT',
): number | undefined {
  const text = environment[name];
  if (!text) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new StartFailure(`${name} must be a port, not "${text}".`);

  return port;
}
