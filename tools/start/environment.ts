import { StartFailure } from '../../platform/start-failure.ts';
import { readEnv, VARIABLES, type Env } from '../../modules/env.ts';

/** Variables that the start itself reads. */
const OWN = [
  'HOST', 'PORT', 'OPS_HOST', 'OPS_PORT', 'CARTE_DATA_DIR', 'TEMPORAL_NAMESPACE', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'DEMO', 'NODE_ENV', 'SHUTDOWN_GRACE',
] as const; // oxfmt-ignore

/**
 * The variables of `npm start`. Everything that is set is checked here, also what only its
 * processes read, so that a mistake ends the start at once with the full list. Throws
 * EnvironmentError.
 */
export function startEnvironment(environment: NodeJS.ProcessEnv): Pick<Env, (typeof OWN)[number]> {
  const known = (Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]).filter(
    (name) => environment[name] || VARIABLES[name].fallback !== null,
  );
  return readEnv(environment, [...new Set([...OWN, ...known])]);
}

/**
 * A port of the emulator's, which only `npm start` reads; undefined when it is not set. Throws
 * StartFailure when it is not a port.
 */
export function portAsked(
  environment: NodeJS.ProcessEnv,
  name: 'EMULATOR_PORT' | 'EMULATOR_CUSTOMERS_PORT',
): number | undefined {
  const text = environment[name];
  if (!text) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new StartFailure(`${name} must be a port, not "${text}".`);
  return port;
}
