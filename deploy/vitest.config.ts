import { testConfig } from '@lanyard/testing/config'

export default testConfig({
  globalSetup: ['@lanyard/database/testing/global-setup'],
})
