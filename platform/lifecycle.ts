import type { Log } from './log.ts';

export type Phase =
  | 'not-ready'
  | 'stop-accepting'
  | 'finish-running'
  | 'flush'
  | 'close-temporal'
  | 'close-database';

const ORDER: readonly Phase[] = [
  'not-ready',
  'stop-accepting',
  'finish-running',
  'flush',
  'close-temporal',
  'close-database',
];

export type Lifecycle = {
  /** Steps of a phase run in reverse order. */
  onStop(phase: Phase, name: string, stop: () => Promise<void> | void): void;
  /** Runs all steps once. Returns false if one failed. */
  stop(reason: string): Promise<boolean>;
  /** Stops on SIGINT, SIGTERM, or when the parent process ends. Exits with 1 after `graceMs`. */
  install(): void;
  readonly stopping: boolean;
};

/** OPS-8. `graceMs` limits the whole stop. */
export function createLifecycle(options: {
  log: Log;
  graceMs: number;
  exit?: (code: number) => void;
}): Lifecycle {
  const steps: { phase: Phase; name: string; stop: () => Promise<void> | void }[] = [];
  const exit = options.exit ?? ((code: number) => process.exit(code));
  let running: Promise<boolean> | undefined;

  async function runSteps(reason: string): Promise<boolean> {
    options.log.info({ reason }, 'stopping');
    let clean = true;

    for (const phase of ORDER) {
      for (const step of steps.filter((entry) => entry.phase === phase).reverse()) {
        try {
          await step.stop();
        } catch (error) {
          clean = false;
          options.log.error({ err: error, phase, step: step.name }, 'a stop step failed');
        }
      }
    }

    options.log.info('stopped');

    return clean;
  }

  const lifecycle: Lifecycle = {
    get stopping() {
      return running !== undefined;
    },
    onStop: (phase, name, stop) => void steps.push({ phase, name, stop }),
    stop: (reason) => (running ??= runSteps(reason)),
    install() {
      const end = (reason: string) => {
        if (running !== undefined) return;
        setTimeout(() => {
          options.log.error({ graceMs: options.graceMs }, 'did not stop in time');
          exit(1);
        }, options.graceMs).unref();
        void lifecycle.stop(reason).then((clean) => exit(clean ? 0 : 1));
      };

      process.once('SIGINT', () => end('SIGINT'));
      process.once('SIGTERM', () => end('SIGTERM'));
      // Exits with the supervisor of `npm start`.
      if (process.send !== undefined) process.once('disconnect', () => end('parent gone'));
    },
  };

  return lifecycle;
}
