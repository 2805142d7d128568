import { testConfig } from '@lanyard/testing/config'

/** Uses a real browser and a real service, so it is slow and runs serially. */
export default testConfig({
  // Its summary is printed beside that of the component tests.
  name: 'browser',
  include: ['e2e/**/*.e2e.ts'],
  globalSetup: ['e2e/shared.ts'],
  fileParallelism: false,
})
