import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './lock.ts';
import { guard } from './watchdog.mjs';

export type Log = (line: string) => void;

export type GuardedOptions = {
  command: string;
  args: readonly string[];
  /** Receives every line of output. `inherit` forwards the output to ours. */
  output: Log | 'inherit';
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Followed by SIGKILL of the process group after `graceSeconds`. */
  stopSignal?: 'INT' | 'TERM' | 'KILL';
  graceSeconds?: number;
  uid?: number;
  gid?: number;
  signal?: AbortSignal | undefined;
  /** Deleted even if this process dies first. */
  deleteFolder?: string;
};

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export type GuardedProcess = {
  pid: number;
  /** Never rejects. */
  exited: Promise<Exit>;
  /** Terminates the program and waits for its end. Idempotent. */
  stop: () => Promise<Exit>;
};

/**
 * Starts a program that ends with this process, and whose process group ends with it. The process
 * group keeps Ctrl-C from the program; a watchdog ends it if this process dies.
 * @throws the spawn error if the program cannot be started
 */
export async function startGuarded(options: GuardedOptions): Promise<GuardedProcess> {
  const { stopSignal = 'TERM', graceSeconds = 10 } = options;
  const child = spawn(options.command, options.args, {
    detached: true,
    stdio: ['ignore', ...outputs(options.output)],
    env: options.env ?? process.env,
    cwd: options.cwd,
    uid: options.uid,
    gid: options.gid,
  });

  if (child.pid === undefined) {
    const [error] = await once(child, 'error');
    throw error;
  }

  const { pid } = child;
  const watchdog = guard(pid, {
    signal: stopSignal,
    graceSeconds,
    deleteFolder: options.deleteFolder,
  });

  const log = options.output;
  const drained =
    log === 'inherit'
      ? []
      : [child.stdout, child.stderr].map(async (stream) => forwardLines(stream, log));

  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      watchdog.dismiss();
      // The program may have left processes running, such as the workers of a stopped jest.
      killGroup(pid);
      // Waits for its last lines, but not for a grandchild that keeps the pipe open.
      void Promise.race([Promise.all(drained), delay(500, undefined, { ref: false })]).then(() =>
        resolve({ code, signal }),
      );
    });
  });

  let stopping: Promise<Exit> | undefined;
  const stop = async (): Promise<Exit> => {
    if (stopSignal !== 'KILL') child.kill(`SIG${stopSignal}`);
    else if (child.exitCode === null && child.signalCode === null) killGroup(pid);
    const patience = new AbortController();
    const forced = delay(graceSeconds * 1000, undefined, { signal: patience.signal }).then(
      () => killGroup(pid),
      () => undefined,
    );

    const exit = await exited;
    patience.abort();
    await forced;

    return exit;
  };

  const stopOnce = (): Promise<Exit> => (stopping ??= stop());
  const onAbort = (): void => void stopOnce();
  options.signal?.addEventListener('abort', onAbort);
  void exited.then(() => options.signal?.removeEventListener('abort', onAbort));
  if (options.signal?.aborted === true) onAbort();

  return { pid, exited, stop: stopOnce };
}

function outputs(output: Log | 'inherit'): ['inherit', 'inherit'] | ['pipe', 'pipe'] {
  return output === 'inherit' ? ['inherit', 'inherit'] : ['pipe', 'pipe'];
}

async function forwardLines(stream: Readable | null, log: Log): Promise<void> {
  if (stream === null) return;
  for await (const line of createInterface({ input: stream })) log(line);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The group has already ended.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
