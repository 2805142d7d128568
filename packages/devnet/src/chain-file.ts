import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DevnetError } from './errors.ts'

/**
 * Path of the file in which a chain lives between starts; created from the genesis state when absent.
 *
 * @throws DevnetError `STATE_CORRUPT` when a file is there that cannot be parsed: a machine that lost power
 * while anvil wrote. The chain and the database that refers to it are to be dropped together, so this decides
 * nothing by itself.
 */
export async function chainFile(dataDir: string, chainId: number, genesisPath: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, `chain-${chainId}.json`)
  const content = await readFile(path, 'utf8').catch(() => undefined)
  if (content === undefined) {
    const temporary = `${path}.${randomUUID()}`
    await copyFile(genesisPath, temporary)
    await rename(temporary, path)
    return path
  }
  try {
    JSON.parse(content)
  } catch (cause) {
    throw new DevnetError(
      'STATE_CORRUPT',
      `${path} is damaged. Remove the data directory to start with a fresh chain and database.`,
      { cause },
    )
  }
  return path
}
