import { testConfig } from '@lanyard/testing/config'

export default testConfig({ include: ['src/**/*.test.ts', 'stand-in/**/*.test.ts'] })
