import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DevnetError } from './errors.ts'

/**
 * Path of the file that stores a chain between starts; created from the genesis state if absent.
 *
 * @throws DevnetError `STATE_CORRUPT` if the file exists but cannot be parsed, e.g. after a power failure
 * while anvil wrote. The chain and the database that refers to it must be deleted together, so this function
 * deletes nothing itself.
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
