import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { guard } from '../../tools/watchdog.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export type Started = {
  name: string;
  child: ChildProcess;
  /** Everything the process wrote so far, both streams. */
  output: () => string;
  /** Terminates the process and waits for its end; the exit code, or the signal it died of. */
  stop: () => Promise<number | string>;
  /** SIGKILL to the process group; waits until the process has ended. */
  kill: () => Promise<void>;
  /** Ctrl-C at a terminal: SIGINT to the whole process group. */
  interrupt: () => void;
  exited: Promise<number | string>;
};

/**
 * Starts a program of the product as a process group of its own, as a shell would; it dies with the
 * test process.
 */
export function startProcess(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  // The exit of a killed test process is not reported.
  const watchdog = child.pid === undefined ? undefined : guard(child.pid, { signal: 'KILL', graceSeconds: 0 });
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

/**
 * Starts one of the product's entries on this Node, from the modules that it has compiled before.
 */
export function startEntry(name: string, entry: string, args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const { NODE_COMPILE_CACHE } = process.env;
  return startProcess(name, process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...args], {
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    ...env,
  });
}

/** Long enough for any machine: a wait that ends by its condition costs nothing on a quick one. */
const PATIENCE_MS = 120_000;
const SHORTEST_PAUSE_MS = 5;

/**
 * Waits until `probe` gives something other than undefined, polling often at first and then every
 * `everyMs`. Throws `what` and the last error after `limitMs`, which is shorter than the default
 * only if lateness is the failure.
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

/**
 * Waits until the process answers its readiness check; throws with its output when it ends before
 * that.
 */
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
