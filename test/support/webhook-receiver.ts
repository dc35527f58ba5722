import { createServer, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { closeServer, listen } from '../../platform/http-server.ts';

export type ReceivedEvent = {
  id: number;
  type: string;
  subject: string;
  data: Record<string, unknown>;
};
type Answer = number | 'CUT' | 'SILENT';

/** `accepted` has the messages answered with 2xx; `refused` counts wrong signatures. */
export async function webhookReceiver(answer: (event: ReceivedEvent) => Answer = () => 204) {
  const state = { url: '', answer, secret: null as string | null, refused: 0, requests: 0 };
  const accepted: (ReceivedEvent & { messageId: string })[] = [];
  const silent = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      state.requests += 1;
      const text = Buffer.concat(parts).toString();
      const event = JSON.parse(text) as ReceivedEvent;
      if (state.secret !== null)
        try {
          new Webhook(state.secret).verify(text, request.headers as Record<string, string>);
        } catch {
          state.refused += 1;
          response.writeHead(401).end();
          return;
        }
      const said = state.answer(event);
      if (said === 'SILENT') return void silent.add(response);
      if (said === 'CUT') return void request.socket.destroy();
      if (said < 300) accepted.push({ ...event, messageId: String(request.headers['webhook-id']) });
      response.writeHead(said, said === 302 ? { location: state.url } : {}).end();
    });
  });
  const port = await listen(server, {
    host: '127.0.0.1',
    port: 0,
    what: 'The receiver of webhooks',
  });
  state.url = `http://127.0.0.1:${port}/hook`;
  return Object.assign(state, {
    accepted,
    async close() {
      for (const response of silent) response.destroy();
      server.closeAllConnections();
      await closeServer(server);
    },
  });
}
