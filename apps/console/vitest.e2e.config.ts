import { testConfig } from '@lanyard/testing/config'

/** Uses a real browser and a real service. */
export default testConfig({
  name: 'browser',
  include: ['e2e/**/*.e2e.ts'],
  fileParallelism: false,
  globalSetup: ['@lanyard/database/testing/global-setup'],
})
