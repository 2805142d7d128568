import { defineConfig } from 'vitest/config'
import { findTarget } from './src/mutants/targets.ts'

/** For the sandboxes that Stryker makes of a target: its fast tests only. */
const { tests } = findTarget(process.env.LANYARD_MUTANTS_TARGET ?? '')

export default defineConfig({ test: { include: [...tests], retry: 0, testTimeout: 30_000 } })
