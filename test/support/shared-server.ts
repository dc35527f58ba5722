export type Lease<T> = { server: T; release: () => Promise<void> };

/**
 * The first user runs `start`, the last stops the server. A server from the environment is never
 * stopped.
 */
export function sharedServer<T>(
  named: () => T | undefined,
  start: () => Promise<{ server: T; stop: () => Promise<void> }>,
) {
  let users = 0;
  let running: ReturnType<typeof start> | undefined;

  return async function borrow(): Promise<Lease<T>> {
    const given = named();
    if (given !== undefined) return { server: given, release: async () => undefined };
    users += 1;
    running ??= start();
    const { server } = await running;
    let released = false;
    return {
      server,
      async release() {
        if (released) return;
        released = true;
        users -= 1;
        if (users > 0 || running === undefined) return;
        const last = running;
        running = undefined;
        await (await last).stop();
      },
    };
  };
}
