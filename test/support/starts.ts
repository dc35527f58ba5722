import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { freeLowPort } from '../../tools/ports.ts';
import { eventually, root, startProcess, type Started } from './processes.ts';
import { shareWorkflowBundles } from './product.ts';
import { wholeInSoak } from './repetitions.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Starts of `npm start` in a data folder of their own. */
export type Starts = {
  folder: string;
  env: NodeJS.ProcessEnv;
  run(command: string, args: readonly string[], variables: NodeJS.ProcessEnv): Started;
  /** Runs `npm start` and waits for its output. */
  start(variables?: NodeJS.ProcessEnv): Promise<Started>;
  /** Runs a block of a shell and returns its output. */
  runBlock(block: string, extra?: NodeJS.ProcessEnv): string;
  /** Stops the processes of a failed test. */
  end(): Promise<void>;
  remove(): Promise<void>;
};

/** Prepares starts of the product, with a small demo in `npm test`. */
export async function prepareStarts(): Promise<Starts> {
  const folder = await temporaryFolder('start');
  // The whole run also builds the bundles of a fresh data folder.
  await wholeInSoak(async () => undefined, shareWorkflowBundles)(folder);
  const { TEMPORAL_ADDRESS: _t, DATABASE_URL: _d, ERP_URL: _e, ...rest } = process.env;
  const env: NodeJS.ProcessEnv = {
    ...rest,
    CARTE_DATA_DIR: folder,
    PORT: String(await freeLowPort()),
    OPS_PORT: String(await freeLowPort()),
    NODE_OPTIONS: '',
    // Building the documentation takes two cores half a minute.
    DOCS_SITE: wholeInSoak('on', 'off'),
    DEMO: wholeInSoak('on', 'small'),
  };
  const running: Started[] = [];
  const run = (command: string, args: readonly string[], variables: NodeJS.ProcessEnv): Started => {
    const started = startProcess('npm start', command, args, variables);
    running.push(started);
    return started;
  };
  return {
    folder,
    env,
    run,
    async start(variables = env) {
      const started = run('npm', ['start'], variables);
      await untilStarted(started);
      return started;
    },
    runBlock: (block, extra = {}) =>
      execFileSync('bash', ['-euo', 'pipefail', '-c', block], {
        cwd: root,
        encoding: 'utf8',
        env: { ...env, ...extra },
      }),
    async end() {
      await Promise.all(running.splice(0).map((entry) => entry.kill()));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function untilStarted(started: Started): Promise<void> {
  await eventually(
    'the start',
    async () => {
      if (started.child.exitCode !== null)
        throw new Error(`ended with ${started.child.exitCode}: ${started.output()}`);
      return started.output().includes('Carte is ready.') && started.output().includes('Ctrl-C')
        ? true
        : undefined;
    },
    600_000,
  );
}

/** Reads the output of a start. */
export function readOutput(output: string) {
  const [, email, password] = /Administrator\s+(\S+)\s+(\S+)/.exec(output)!;
  return {
    api: /API\s+(\S+)\/api\/v1 /.exec(output)![1]!,
    email: email!,
    password: password!,
    curl: /A menu\s+(curl .*)/.exec(output)?.[1],
    ports: new Set(output.match(/http:\/\/127\.0\.0\.1:\d+/g)!.map((text) => new URL(text).port)),
  };
}
