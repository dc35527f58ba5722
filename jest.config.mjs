// Tests run on Node's own modules, without a realm for each file (docs/decisions/0042-eight-minutes.md).
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.ts',
  runtime: '<rootDir>/test/support/jest/runtime.ts',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  testTimeout: 300_000,
  modulePathIgnorePatterns: ['<rootDir>/.carte'],
};
