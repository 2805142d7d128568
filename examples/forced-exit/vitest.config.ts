import { testConfig } from '@lanyard/testing/config'

export default testConfig({ include: ['*.test.ts'] })
