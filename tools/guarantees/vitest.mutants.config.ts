import { defineConfig } from 'vitest/config'
import { findTarget } from './src/mutants/targets.ts'

/** For Stryker's sandboxes of a target. Runs only its fast tests. */
const { tests } = findTarget(process.env.LANYARD_MUTANTS_TARGET ?? '')

export default defineConfig({ test: { include: [...tests], retry: 0, testTimeout: 30_000 } })
