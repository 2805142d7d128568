import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes gas policies for POLICIES_FILE. */
export async function writePolicies(...policies: readonly object[]): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'lanyard-policies-')), 'policies.json')
  await writeFile(path, JSON.stringify({ policies }))
  return path
}
