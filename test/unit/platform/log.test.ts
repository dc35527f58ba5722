import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createLog } from '../../../platform/log.ts';
import { runtimeLogger } from '../../../workers/temporal-workers.ts';

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  write(createLog({ service: 'test', level: 'info', destination }));
  return text;
}

describe('the function createLog', () => {
  test.each([
    [{ apiLogin: 'canary' }],
    [{ connection: { apiLogin: 'canary', name: 'shown' } }],
    [{ request: { headers: { authorization: 'Bearer canary' } } }],
    [{ user: { password: 'canary' } }],
    [{ a: { b: { c: { token: 'canary' } } } }],
  ])('masks %j', (fields) => {
    const text = written((log) => log.info(fields, 'something'));

    expect(text).not.toContain('canary');
    expect(text).toContain('[masked]');
  });

  test('omits the text of a database error, which repeats values of rows', () => {
    const error = Object.assign(new Error('invalid input syntax: "canary"'), {
      code: '22P02',
      detail: 'Key (email)=(canary)',
    });
    const text = written((log) => log.warn({ err: error }, 'a step failed'));

    expect(text).not.toContain('canary');
    expect(text).toContain('22P02');
  });

  test('writes one JSON object a line with service and time', () => {
    const line = JSON.parse(written((log) => log.info({ runId: 7 }, 'run closed'))) as Record<
      string,
      unknown
    >;

    expect(line).toMatchObject({
      service: 'test',
      runId: 7,
      msg: 'run closed',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });
});

test("the log contains name, message and stack of an error of Temporal's runtime", () => {
  const line = JSON.parse(
    written((log) =>
      runtimeLogger(log).error('Workflow failed', {
        workflowId: 'a/1',
        error: new Error('a reason'),
      }),
    ),
  ) as Record<string, unknown>;

  expect(line).toMatchObject({
    msg: 'Workflow failed',
    workflowId: 'a/1',
    err: { name: 'Error', message: 'a reason' },
  });
  expect(line).not.toHaveProperty('error');
});
