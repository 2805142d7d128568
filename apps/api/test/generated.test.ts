/** @module-tag all */

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test.each(['packages/contracts', 'apps/api', 'packages/client'])(
  'behavior: the generated files of %s match their sources',
  (folder) => {
    const check = () =>
      execFileSync(process.execPath, ['scripts/generate.ts', '--check'], {
        cwd: root + folder,
        stdio: 'pipe',
      })
    expect(check).not.toThrow()
  },
)
