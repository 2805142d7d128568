import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { retry: 0, testTimeout: 120_000, hookTimeout: 60_000 } })
