import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import { connect as connectPlain, type AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { createServer, type TLSSocket } from 'node:tls';
import { certificate } from './tls-certificates.ts';

const own = () => ({
  cert: readFileSync(certificate('server.pem')),
  key: readFileSync(certificate('server.key')),
  ca: readFileSync(certificate('authority.pem')),
  ALPNProtocols: ['h2'],
});

export type TlsFront = {
  address: string;
  clients: string[];
  close(): Promise<void>;
};

/** A TLS proxy that requires a certificate of our authority. */
export async function startTlsProxy(address: string): Promise<TlsFront> {
  const clients: string[] = [];
  const sockets = new Set<TLSSocket>();
  const target = new URL(`tcp://${address}`);
  const server = createServer(
    { ...own(), requestCert: true, rejectUnauthorized: true },
    (socket) => {
      sockets.add(socket);
      clients.push(String(socket.getPeerCertificate().subject.CN));
      const behind = connectPlain(Number(target.port), target.hostname);
      socket.pipe(behind).pipe(socket);
      socket.on('error', () => behind.destroy()).on('close', () => behind.destroy());
      behind.on('error', () => socket.destroy());
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    clients,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Rejects all callers. `authorizations` are the received headers. */
export async function refusingTemporal(): Promise<{
  address: string;
  authorizations: string[];
  close(): Promise<void>;
}> {
  const authorizations: string[] = [];
  const server: Http2SecureServer = createSecureServer(own());
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    authorizations.push(String(headers.authorization));
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': '16',
        'grpc-message': 'no',
      },
      { endStream: true },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorizations,
    async close() {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
