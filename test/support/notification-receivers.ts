import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { SMTPServer } from 'smtp-server';
import { closeServer, listen } from '../../platform/http-server.ts';

export type Posted = {
  id: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
};

/** `answer` is the next answer: a status or a broken connection. */
export async function notificationWebhook() {
  const posted: Posted[] = [];
  const state: { answer: number | 'CUT'; url: string } = { answer: 204, url: '' };
  const server = createServer((request, response) => {
    if (state.answer === 'CUT') return void request.socket.destroy();
    const { answer } = state;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { authorization, 'idempotency-key': key } = request.headers;
      if (answer < 300)
        posted.push({
          id: String(key),
          authorization,
          body: JSON.parse(Buffer.concat(parts).toString()) as Posted['body'],
        });
      response
        .writeHead(answer, answer === 302 ? { Location: `${state.url}/elsewhere` } : {})
        .end();
    });
  });
  const port = await listen(server, {
    host: '127.0.0.1',
    port: 0,
    what: 'The receiver of notifications',
  });
  state.url = `http://127.0.0.1:${port}/hook?token=receiver-canary`;
  return Object.assign(state, { posted, close: () => closeServer(server) });
}

export async function notificationMailbox() {
  const mails: string[] = [];
  const state = { refuse: null as string | null, url: '' };
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === 'mail-canary'
        ? done(null, { user: username })
        : done(new Error(`no user ${username} ${password}`)),
    onData(stream, _session, done) {
      const lines: string[] = [];
      createInterface({ input: stream })
        .on('line', (line) => lines.push(line))
        .on('close', () => {
          if (state.refuse !== null) return done(new Error(state.refuse));
          mails.push(lines.join('\n'));
          done();
        });
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () =>
      resolve((listening.address() as { port: number }).port),
    );
  });
  state.url = `smtp://carte:mail-canary@127.0.0.1:${port}`;
  return Object.assign(state, {
    mails,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  });
}
