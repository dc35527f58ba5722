import { proxySinks, setCurrentDetails, setDefaultSignalHandler } from '@temporalio/workflow';
import type { SignalSinks } from '../../kernel/pure/signal-sinks.ts';

const { signals } = proxySinks<SignalSinks>();

/**
 * Shows the state of an execution and its last rejected signal (OPS-185). Also counts rejected
 * signals, because their sender gets no answer.
 */
export function executionDetails() {
  let words = '';
  let rejection: string | null = null;
  const show = () =>
    setCurrentDetails([words, ...(rejection === null ? [] : [rejection])].join('\n\n'));
  const reject = (signal: string, sentence: string): void => {
    rejection = sentence;
    signals.rejected({ signal });
    show();
  };

  return {
    show(state: string): void {
      words = state;
      show();
    },
    reject,
    /** Removes the rejection from the details after an accepted signal. */
    accept(): void {
      rejection = null;
    },
    /** Rejects signals without a handler. Call it after all handlers are set. */
    rejectUnknownSignals(): void {
      setDefaultSignalHandler((name) =>
        reject(
          'unknown',
          `The signal ${name.slice(0, NAME_CHARACTERS)} is unknown and was ignored.`,
        ),
      );
    },
  };
}

/** The sender controls the name. */
const NAME_CHARACTERS = 50;
