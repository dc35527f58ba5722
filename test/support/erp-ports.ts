import type { ErpClientOptions } from '../../erp/call.ts';

type Ports = Pick<ErpClientOptions, 'tokens' | 'limiter' | 'circuits'>;

/** Ports without limits and with a fixed token, for tests without a database. */
export function openPorts(token: string): Ports {
  return {
    tokens: {
      token: async () => ({ token, generation: 1, refusals: [] }),
      refused: async () => undefined,
      accepted: async () => undefined,
    },
    limiter: { acquire: async () => undefined },
    circuits: {
      enter: async () => ({ state: 'FREE' }),
      open: async () => undefined,
      close: async () => undefined,
      hold: async () => undefined,
    },
  };
}
