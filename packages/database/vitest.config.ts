import { testConfig } from '@lanyard/testing/config'

export default testConfig({
  globalSetup: ['@lanyard/database/testing/global-setup'],
  // These suites wait more than they compute; by default vitest would leave all but one core unused.
  maxWorkers: 2,
})
