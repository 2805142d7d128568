import { testConfig } from '@lanyard/testing/config'

export default testConfig({ include: ['src/**/*.test.ts', 'fake-signer/**/*.test.ts'] })
