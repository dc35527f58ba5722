import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './failure.ts';
import { guard } from './watchdog.mjs';

export type Log = (line: string) => void;

export type GuardedOptions = {
  command: string;
  args: readonly string[];
  /** Receives every line the program writes; `inherit` lets it write to our own output instead. */
  output: Log | 'inherit';
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** How the program is asked to end; SIGKILL of its process group follows after `graceSeconds`. */
  stopSignal?: 'INT' | 'TERM' | 'KILL';
  graceSeconds?: number;
  uid?: number;
  gid?: number;
  /** Deleted when we die before we could do it ourselves. */
  deleteFolder?: string;
};

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export type GuardedProcess = {
  pid: number;
  /** Settles once the program has ended for any reason; never rejects. */
  exited: Promise<Exit>;
  /** Asks the program to end and waits until it has. A second call waits for the same end. */
  stop: () => Promise<Exit>;
};

/**
 * Starts a program that cannot outlive us: it runs in its own process group, so Ctrl-C in the terminal does not
 * reach it before we stop it in order, and a watchdog ends it when we die without stopping it.
 * @throws the spawn error when the program cannot be started.
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
  const watchdog = guard(pid, { signal: stopSignal, graceSeconds, deleteFolder: options.deleteFolder });
  if (options.output !== 'inherit') {
    for (const stream of [child.stdout, child.stderr]) if (stream !== null) forwardLines(stream, options.output);
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      watchdog.dismiss();
      resolve({ code, signal });
    });
  });

  let stopping: Promise<Exit> | undefined;
  const stop = async (): Promise<Exit> => {
    child.kill(`SIG${stopSignal}`);
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
  return { pid, exited, stop: () => (stopping ??= stop()) };
}

function outputs(output: Log | 'inherit'): ['inherit', 'inherit'] | ['pipe', 'pipe'] {
  return output === 'inherit' ? ['inherit', 'inherit'] : ['pipe', 'pipe'];
}

function forwardLines(stream: Readable, log: Log): void {
  createInterface({ input: stream }).on('line', log);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the group ended between the time-out and this call, which is what we want.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
