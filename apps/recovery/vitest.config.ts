import { testConfig } from '@lanyard/testing/config'

/** The suites start chains, the service and a bundler, so they run one after the other. */
export default testConfig({ fileParallelism: false })
