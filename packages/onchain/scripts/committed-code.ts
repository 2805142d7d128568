import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const generated = `${root}src/generated`

/** What the committed code was compiled from: see {@link sourceDigest}. */
export const digestPath = `${generated}/sources.sha256`

interface PackageFile {
  readonly devDependencies: Readonly<Record<string, string>>
}

/** SHA-256 of everything that decides the bytecode: our Solidity without its tests, and the versions and settings. */
export function sourceDigest(): string {
  const contracts = readdirSync(`${root}contracts`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.sol') && !path.startsWith('test/'))
    .map((path) => `contracts/${path}`)
    .sort()
  const hash = createHash('sha256')
  for (const path of [...contracts, 'foundry.toml']) {
    hash.update(`${path}\0${readFileSync(`${root}${path}`, 'utf8')}\0`)
  }
  const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as PackageFile
  for (const name of ['solc', '@openzeppelin/contracts']) hash.update(`${name}\0${devDependencies[name]}\0`)
  return `${hash.digest('hex')}\n`
}

/**
 * Writes the committed creation code of every contract as artifacts of forge.
 *
 * @returns their folder, relative to the package
 * @throws Error if the committed code is not that of the sources
 */
export function writeCommittedArtifacts(): string {
  if (readFileSync(digestPath, 'utf8') !== sourceDigest()) {
    throw new Error('The Solidity or its settings changed. Run `pnpm generate`, then test again.')
  }
  const folder = 'out/committed'
  for (const file of readdirSync(generated)) {
    const [, object] =
      /Bytecode = '(0x[0-9a-f]+)' as const/.exec(readFileSync(`${generated}/${file}`, 'utf8')) ?? []
    if (object === undefined) continue
    const name = file.replace('.ts', '')
    mkdirSync(`${root}${folder}/${name}.sol`, { recursive: true })
    writeFileSync(`${root}${folder}/${name}.sol/${name}.json`, JSON.stringify({ bytecode: { object } }))
  }
  return folder
}
