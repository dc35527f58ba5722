import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './processes.ts';

export type ComposeService = {
  image?: string;
  command?: string[];
  environment?: Record<string, string | null>;
};

/** Services that complete their work and exit, in the order in which they run. */
export const ONE_SHOTS = ['migrate', 'temporal-prepare', 'storage-prepare', 'schedules'];

/** Services of `docker-compose.yml`, by name. */
export const composeServices = (
  parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, ComposeService>;
  }
).services;

/** Services that run the image of the product. */
export const productServices = Object.entries(composeServices).filter(([, { image }]) => image === 'carte:local');

/**
 * Variables with a value in `docker-compose.yml`. The others come from the environment of `docker
 * compose`.
 */
function assigned({ environment = {} }: ComposeService): [string, string][] {
  return Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== null);
}

/** A service without a setting in `docker-compose.yml` has no such setting in tests either. */
const ASSIGNED_NAMES = new Set(productServices.flatMap(([, service]) => assigned(service).map(([name]) => name)));

export type ComposeEnvironment = {
  /** Variables of the environment of `docker compose` or of its `.env`. */
  variables: NodeJS.ProcessEnv;
  /**
   * Settings of tests, such as short intervals. They never replace what `docker-compose.yml`
   * assigns.
   */
  testSettings: NodeJS.ProcessEnv;
  /** Actual host and port of each server, by the host and port in `docker-compose.yml`. */
  addresses: Readonly<Record<string, string>>;
};

/**
 * The environment that `docker-compose.yml` gives to a service.
 * @throws Error that names a required variable without a value.
 */
export function serviceEnvironment(
  service: ComposeService,
  { variables, testSettings, addresses }: ComposeEnvironment,
): NodeJS.ProcessEnv {
  const values = assigned(service).map(([name, value]) => {
    const filled = value.replaceAll(
      /\$\{(\w+):([?-])([^}]*)\}/g,
      (_, variable: string, kind: string, fallback: string) => {
        const found = variables[variable];
        if (found === undefined && kind === '?') throw new Error(`docker-compose.yml needs ${variable}`);
        return found ?? fallback;
      },
    );
    return [name, Object.entries(addresses).reduce((text, [theirs, ours]) => text.replace(theirs, ours), filled)];
  });
  const quick = Object.entries(testSettings).filter(([name]) => name !== 'COOKIE_SECURE' && !ASSIGNED_NAMES.has(name));
  return { ...Object.fromEntries([...quick, ...values]), HOME: process.env['HOME'], HOST: '127.0.0.1' };
}
