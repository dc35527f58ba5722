// Runs test files on Node's own modules, without a realm for each file
// (docs/decisions/0042-tests.md).
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  testRunner: '<rootDir>/test/support/jest/test-runner.ts',
  testSequencer: '<rootDir>/test/support/jest/sequencer.ts',
  reporters: ['<rootDir>/test/support/jest/reporter.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Stores the durations of test files, so that failed files run first, then the longest.
  cacheDirectory: '<rootDir>/.carte/jest',
  testTimeout: 300_000,
  modulePathIgnorePatterns: ['<rootDir>/.carte'],
};
