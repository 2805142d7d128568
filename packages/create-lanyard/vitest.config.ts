import { testConfig } from '@lanyard/testing/config'

export default testConfig()
