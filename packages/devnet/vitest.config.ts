import { defineConfig } from 'vitest/config'

// Chains are started, and on a machine that has none of it yet their state is built first.
export default defineConfig({ test: { retry: 0, testTimeout: 30_000, hookTimeout: 60_000 } })
