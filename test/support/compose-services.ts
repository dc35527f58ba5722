import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './processes.ts';
import { TEST_CONSTANTS } from './product.ts';

export type ComposeService = {
  image?: string;
  command?: string[];
  environment?: Record<string, string | null>;
};

export const ONE_SHOTS = ['migrate', 'temporal-prepare', 'storage-prepare', 'schedules'];

export const composeServices = (
  parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, ComposeService>;
  }
).services;

export const productServices = Object.entries(composeServices).filter(
  ([, { image }]) => image === 'carte:local',
);

/**
 * Variables with a value in `docker-compose.yml`. Others come from the environment of `docker
 * compose`.
 */
function assigned({ environment = {} }: ComposeService): [string, string][] {
  return Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
}

/** Settings that `docker-compose.yml` assigns. A service gets only its own. */
const ASSIGNED_NAMES = new Set(
  productServices.flatMap(([, service]) => assigned(service).map(([name]) => name)),
);

export type ComposeEnvironment = {
  variables: NodeJS.ProcessEnv;
  /**
   * Settings of tests. They never replace values of `docker-compose.yml`. Constants are left out,
   * because production rejects them.
   */
  testSettings: NodeJS.ProcessEnv;
  addresses: Readonly<Record<string, string>>;
};

/**
 * Returns the environment that `docker-compose.yml` gives to a service.
 * @throws Error if a required variable has no value
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
        if (found === undefined && kind === '?')
          throw new Error(`docker-compose.yml needs ${variable}`);
        return found ?? fallback;
      },
    );
    return [
      name,
      Object.entries(addresses).reduce(
        (text, [theirs, ours]) => text.replace(theirs, ours),
        filled,
      ),
    ];
  });
  const quick = Object.entries(testSettings).filter(
    ([name]) => name !== 'COOKIE_SECURE' && !ASSIGNED_NAMES.has(name) && !(name in TEST_CONSTANTS),
  );
  return {
    ...Object.fromEntries([...quick, ...values]),
    HOME: process.env['HOME'],
    HOST: '127.0.0.1',
  };
}
