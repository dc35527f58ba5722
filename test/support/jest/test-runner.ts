import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult, type AssertionResult, type TestResult } from '@jest/test-result';
import type { Circus, Config } from '@jest/types';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';

const GLOBALS = new URL('globals.ts', import.meta.url).href;

// Outside of Jest's realm the package `@jest/globals` only throws.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

addEventHandler((event) => {
  if (event.name === 'test_start')
    jestExpect.setState({ currentTestName: listTitles(event.test).join(' ') });
  if (event.name !== 'test_done') return;
  const { suppressedErrors } = jestExpect.getState();
  const unmet = jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error);
  event.test.errors.push(...(suppressedErrors ?? []), ...unmet);
  jestExpect.setState({ suppressedErrors: [] });
});

/**
 * Jest's `testRunner`: runs a file on jest-circus and Node's own modules, so the product is loaded
 * once per process (docs/decisions/0042-tests.md). No module mocks, coverage or transforms.
 */
export default async function runTestFile(
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  _environment: unknown,
  _runtime: unknown,
  testFilePath: string,
): Promise<TestResult> {
  resetState();
  const state = getState();
  state.testTimeout = config.testTimeout;
  if (globalConfig.testNamePattern)
    state.testNamePattern = new RegExp(globalConfig.testNamePattern, 'i');
  jestExpect.setState({ expand: globalConfig.expand, testPath: testFilePath });

  const restoreHandlers = failOnStrayErrors();
  try {
    await import(pathToFileURL(testFilePath).href);
    return toResult(await run(), globalConfig, config, testFilePath);
  } finally {
    restoreHandlers();
  }
}

/**
 * Makes unhandled errors fail the running test, or the file between two tests. Returns a function
 * that restores the former handlers.
 */
function failOnStrayErrors(): () => void {
  const kinds = ['uncaughtException', 'unhandledRejection'] as const;
  const former = kinds.map((kind) => process.listeners(kind as 'uncaughtException'));
  const fail = (error: unknown): void => {
    const { currentlyRunningTest, unhandledErrors } = getState();
    if (currentlyRunningTest) currentlyRunningTest.errors.push(error);
    else unhandledErrors.push([error, new Error('between two tests')]);
  };
  for (const kind of kinds) process.removeAllListeners(kind).on(kind, fail);

  return () => {
    for (const [index, kind] of kinds.entries()) {
      process.removeAllListeners(kind);
      for (const listener of former[index]!) process.on(kind, listener);
    }
  };
}

function listTitles(test: Circus.TestEntry): string[] {
  const titles = [String(test.name)];
  for (let block = test.parent; block.parent !== undefined; block = block.parent)
    titles.unshift(String(block.name));
  return titles;
}

const toStatus = ({ status, errors }: Circus.TestResult): AssertionResult['status'] => {
  if (status === 'skip') return 'pending';
  if (status === 'todo') return 'todo';
  return errors.length > 0 ? 'failed' : 'passed';
};

const toAssertion = (test: Circus.TestResult): AssertionResult => {
  // The first title is the root block of circus.
  const [, ...titles] = test.testPath.map(String);
  return {
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1)!,
    fullName: titles.join(' '),
    status: toStatus(test),
    duration: test.duration ?? null,
    failing: test.failing ?? false,
    failureDetails: test.errorsDetailed,
    failureMessages: [...test.errors],
    invocations: test.invocations,
    location: test.location ?? null,
    numPassingAsserts: test.numPassingAsserts,
    retryReasons: [...test.retryReasons],
    startAt: test.startedAt ?? null,
  };
};

function toResult(
  { testResults, unhandledErrors, unhandledErrorsDetailed }: Circus.RunResult,
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  testFilePath: string,
): TestResult {
  const assertions = testResults.map(toAssertion);
  const count = (status: string): number =>
    assertions.filter((assertion) => assertion.status === status).length;
  const strays = unhandledErrorsDetailed.map((error) =>
    formatExecError(error, config, globalConfig),
  );
  const failures = [
    formatResultsErrors(assertions, config, globalConfig, testFilePath) ?? '',
    ...strays,
  ];
  const failureMessage = failures.filter((text) => text !== '').join('\n');

  return {
    ...createEmptyTestResult(),
    testFilePath,
    testResults: assertions,
    numPassingTests: count('passed'),
    numFailingTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    failureMessage: failureMessage === '' ? null : failureMessage,
    ...(unhandledErrors.length > 0 && {
      testExecError: { message: '', stack: unhandledErrors.join('\n') },
    }),
  };
}
