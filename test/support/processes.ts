import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { guard } from '../../tools/watchdog.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export type Started = {
  name: string;
  child: ChildProcess;
  output: () => string;
  stop: () => Promise<number | string>;
  kill: () => Promise<void>;
  /** Sends SIGINT to the process group, like Ctrl-C at a terminal. */
  interrupt: () => void;
  exited: Promise<number | string>;
};

/** Starts a program as a process group. It dies with the test process. */
export function startProcess(
  name: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Started {
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  // A killed test process cannot end its children itself.
  const watchdog =
    child.pid === undefined ? undefined : guard(child.pid, { signal: 'KILL', graceSeconds: 0 });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const signal = (name: NodeJS.Signals) => hasEnded() || process.kill(-child.pid!, name);
  const endWithUs = () => signal('SIGKILL');
  process.once('exit', endWithUs);
  const exited = once(child, 'exit').then(([code, signal]: (number | string | null)[]) => {
    process.off('exit', endWithUs);
    watchdog?.dismiss();
    return code ?? signal ?? 'unknown';
  });
  return {
    name,
    child,
    output: () => text,
    exited,
    async stop() {
      signal('SIGTERM');
      return exited;
    },
    interrupt: () => void signal('SIGINT'),
    async kill() {
      signal('SIGKILL');
      await exited;
    },
  };
}

export function startEntry(
  name: string,
  entry: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Started {
  const { NODE_COMPILE_CACHE } = process.env;
  return startProcess(
    name,
    process.execPath,
    ['--disable-warning=ExperimentalWarning', entry, ...args],
    {
      ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
      ...env,
    },
  );
}

/** A high limit costs nothing, because a wait ends with its condition. */
const PATIENCE_MS = 120_000;
const SHORTEST_PAUSE_MS = 5;

/**
 * Waits until `probe` returns a value. Throws `what` and the last error after `limitMs`. Shorten
 * the limit only if lateness is the failure.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined>,
  limitMs = PATIENCE_MS,
  everyMs = 100,
): Promise<T> {
  let last: unknown = 'no error';
  let pauseMs = Math.min(SHORTEST_PAUSE_MS, everyMs);
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await delay(pauseMs)) {
    pauseMs = Math.min(pauseMs * 1.5, everyMs);
    try {
      const found = await probe();
      if (found !== undefined) return found;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`${what} did not happen within ${limitMs} ms (last: ${String(last)})`);
}

/** Waits for readiness. Throws with the output if the process ends first. */
export async function untilReady(started: Started, opsPort: number): Promise<void> {
  const ended = started.exited.then((code) => {
    throw new Error(`${started.name} ended with ${code}:\n${started.output().slice(-3000)}`);
  });
  ended.catch(() => undefined);
  const ready = eventually(`${started.name} ready`, async () =>
    (await fetch(`http://127.0.0.1:${opsPort}/health/ready`)).ok ? true : undefined,
  );
  await Promise.race([ready, ended]);
}
