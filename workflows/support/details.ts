import { proxySinks, setCurrentDetails, setDefaultSignalHandler } from '@temporalio/workflow';
import type { SignalSinks } from '../../kernel/pure/signal-sinks.ts';

const { signals } = proxySinks<SignalSinks>();

/**
 * The current details of an execution: its state in words, and the last signal that it rejected
 * (rule OPS-185). The sender of a signal gets no answer, so such signals are counted, too.
 */
export function executionDetails() {
  let words = '';
  let rejection: string | null = null;
  const show = () => setCurrentDetails([words, ...(rejection === null ? [] : [rejection])].join('\n\n'));
  const reject = (signal: string, sentence: string): void => {
    rejection = sentence;
    signals.rejected({ signal });
    show();
  };
  return {
    /** Shows the state in words. */
    show(state: string): void {
      words = state;
      show();
    },
    /** Records that a signal of the workflow was rejected, with the reason. */
    reject,
    /** A later signal was accepted: removes the last rejection. */
    accept(): void {
      rejection = null;
    },
    /** Rejects signals that no handler takes. Call it after all handlers are set. */
    rejectUnknownSignals(): void {
      setDefaultSignalHandler((name) =>
        reject('unknown', `The signal ${name.slice(0, NAME_CHARACTERS)} is unknown and was ignored.`),
      );
    },
  };
}

/** Characters of a shown name: the sender has made it up. */
const NAME_CHARACTERS = 50;
