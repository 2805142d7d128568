import { testConfig } from '@lanyard/testing/config'

export default testConfig({
  globalSetup: ['@lanyard/database/testing/global-setup'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
})
