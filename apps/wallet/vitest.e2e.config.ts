import { testConfig } from '@lanyard/testing/config'

/** A real browser against a real service: slow, and one after the other. */
export default testConfig({
  // Its summary stands beside that of the component tests.
  name: 'browser',
  include: ['e2e/**/*.e2e.ts'],
  fileParallelism: false,
})
