import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['@lanyard/database/testing/global-setup'],
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
