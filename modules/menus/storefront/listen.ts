import { keepConnection, type KeepOptions, type KeptConnection } from '../../../platform/db/kept-connection.ts';

/**
 * Listens to a channel on a connection of its own, which comes back when it is lost. `connected` is called whenever it is there: what was announced
 * meanwhile is lost and must be looked up.
 */
export function listenTo(
  options: KeepOptions,
  channel: string,
  on: { announced: (payload: string) => void; connected: () => void },
): KeptConnection {
  return keepConnection(options, channel, async (client) => {
    client.on('notification', ({ payload }) => on.announced(payload ?? ''));
    await client.query(`listen ${channel}`);
    on.connected();
  });
}
