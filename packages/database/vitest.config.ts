import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['@lanyard/database/testing/global-setup'],
    retry: 0,
    testTimeout: 30_000,
  },
})
