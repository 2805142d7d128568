import { testConfig } from '@lanyard/testing/config'

/** Chains, the service and a bundler: one suite after the other. */
export default testConfig({ fileParallelism: false })
