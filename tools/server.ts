import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from '../platform/start-failure.ts';
import { startGuarded } from './guarded-process.ts';
import type { GuardedOptions, GuardedProcess, Log } from './guarded-process.ts';

export type ServerOptions = Omit<GuardedOptions, 'output'> & {
  program: string;
  log: Log;
  /** Polled. Resolves when the server is ready. */
  probe: () => Promise<unknown>;
  timeoutMs: number;
};

/**
 * Starts a server and resolves when its probe succeeds.
 * @throws StartFailure with the last lines of output if the server ends first or takes longer than
 * `timeoutMs`
 */
export async function startServer({
  program,
  log,
  probe,
  timeoutMs,
  ...options
}: ServerOptions): Promise<GuardedProcess> {
  const lastLines: string[] = [];
  const server = await startGuarded({
    ...options,
    output(line) {
      lastLines.push(line.trim());
      lastLines.splice(0, lastLines.length - 3);
      log(line);
    },
  });

  const lastOutput = (): string =>
    lastLines.length === 0 ? 'it printed nothing' : `its last words: ${lastLines.join(' ')}`;
  let ended = false;
  const exit = server.exited.then(() => (ended = true));

  for (const deadline = Date.now() + timeoutMs; ; await Promise.race([exit, delay(50)])) {
    const problem = await probe().then(
      () => undefined,
      (error: unknown) => error,
    );

    if (ended) throw new StartFailure(`${program} ended during its start; ${lastOutput()}`);
    if (problem === undefined) return server;
    if (Date.now() > deadline) {
      await server.stop();
      throw new StartFailure(
        `${program} was not ready within ${timeoutMs / 1000} s; ${lastOutput()}`,
        {
          cause: problem,
        },
      );
    }
  }
}
