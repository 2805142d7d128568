/** @module-tag all */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../../test/program.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { startTemporaryCluster } from './temporary-cluster.ts'

const binaries = findPostgresBinaries()
const folderOf = (url: string) => new URL(url).searchParams.get('host') ?? ''
const connect = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect().finally(() => client.end())
}

describe.skipIf(!binaries)('startTemporaryCluster', () => {
  test('behavior: is removed when it is disposed', async () => {
    const cluster = await startTemporaryCluster(binaries ?? '')
    await connect(cluster.url)
    await cluster[Symbol.asyncDispose]()
    expect(existsSync(folderOf(cluster.url))).toBe(false)
  })

  test('behavior: is removed when its process is killed', async () => {
    await using program = runProgram('hold-cluster.ts', binaries ?? '')
    const [output] = await once(program.child.stdout.setEncoding('utf8'), 'data')
    const url = String(output).trim()
    await connect(url)
    await program.kill()
    // The supervisor removes the folder last.
    await expect.poll(() => existsSync(folderOf(url))).toBe(false)
    await expect(connect(url)).rejects.toThrow()
  })
})
