import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Fonts are already compressed. */
const compressible = /\.(html|js|css|svg|json|md)$/

/**
 * Writes `<file>.br` and `<file>.gz` beside every text file of a folder, so that the service does not
 * compress while it answers (apps/api/src/transport/pages/wallet.ts).
 */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name))
  await Promise.all(files.map(({ parentPath, name }) => compressFile(join(parentPath, name))))
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then((data) => writeFile(`${path}.br`, data)),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }).then((data) =>
      writeFile(`${path}.gz`, data),
    ),
  ])
}

/** Does so after each build by Vite. */
export const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: ({ dir }) => (dir ? compressFolder(dir) : undefined),
})
