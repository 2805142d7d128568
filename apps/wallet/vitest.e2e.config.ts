import { testConfig } from '@lanyard/testing/config'

/** Uses a real browser and a real service, so it is slow. Two journeys run side by side, because they wait more than they compute. */
export default testConfig({
  // Its summary is printed beside that of the component tests.
  name: 'browser',
  include: ['e2e/**/*.e2e.ts'],
  globalSetup: ['e2e/shared.ts'],
  maxWorkers: 2,
})
