// Tests run on Node's own modules, without a realm for each file
// (docs/decisions/0042-tests.md).
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  testRunner: '<rootDir>/test/support/jest/test-runner.ts',
  testSequencer: '<rootDir>/test/support/jest/sequencer.ts',
  reporters: ['<rootDir>/test/support/jest/reporter.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Durations of test files are kept here: failed files run first, then the longest.
  cacheDirectory: '<rootDir>/.carte/jest',
  testTimeout: 300_000,
  modulePathIgnorePatterns: ['<rootDir>/.carte'],
};
