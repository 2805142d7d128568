import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes gas policies for POLICIES_FILE, in a folder that lasts as long as the test's process. */
export function writePolicies(...policies: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-policies-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'policies.json')
  writeFileSync(path, JSON.stringify({ policies }))
  return path
}
