import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// The baseline of the menu benchmark: node:http with the same status, headers and bytes. Arguments:
// port, JSON file with answers ({path: {status, headers, bodyFile}}).
type Answer = { status: number; headers: string[]; bodyFile: string | null };
const [port, file] = process.argv.slice(2);

const answers = new Map(
  Object.entries(JSON.parse(readFileSync(file!, 'utf8')) as Record<string, Answer>).map(
    ([path, { status, headers, bodyFile }]) => [
      path,
      { status, headers, body: bodyFile === null ? undefined : readFileSync(bodyFile) },
    ],
  ),
);

createServer((request, response) => {
  const answer = answers.get(request.url!)!;
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));
