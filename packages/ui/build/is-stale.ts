import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Modification time of the newest of these files, in milliseconds. */
async function newest(path: string): Promise<number> {
  const entry = await stat(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const times = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))))
  return Math.max(entry.mtimeMs, ...times)
}

/**
 * Whether a built file is missing or older than any of its inputs. Takes milliseconds.
 *
 * @param root - the folder from which the paths start
 * @param sources - files and folders
 */
export async function isStale(root: string, built: string, sources: readonly string[]): Promise<boolean> {
  const output = await stat(join(root, built)).catch(() => undefined)
  if (!output) return true
  const times = await Promise.all(sources.map((source) => newest(join(root, source))))
  return Math.max(...times) > output.mtimeMs
}
