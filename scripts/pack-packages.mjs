/**
 * Packs public packages as they would be published. Run as a program, it packs packages and the workspace
 * packages that they need, for apps that use them before they are published:
 * `node scripts/pack-packages.mjs @lanyard/react @lanyard/connect artifacts/packages`.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const bin = (name) => join(root, 'node_modules', '.bin', name)

/** Compiles by TypeScript 7. */
export const compile = (project) =>
  run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '--project', project])

/** Returns a program's output. If it fails, the error message contains the output. */
export async function run(program, parameters, cwd = root) {
  try {
    const { stdout } = await promisify(execFile)(program, parameters, { cwd, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (error) {
    throw new Error(`${program} ${parameters.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? ''}`.trim())
  }
}

export async function publicPackages() {
  const folders = await readdir(join(root, 'packages'))
  const all = await Promise.all(
    folders.map(async (folder) => ({
      folder,
      manifest: JSON.parse(await readFile(join(root, 'packages', folder, 'package.json'), 'utf8')),
    })),
  )
  return all.filter(({ manifest }) => !manifest.private)
}

/**
 * Builds `dist` of every package. One compiler run for all of them takes a quarter of the time of separate
 * builds, each of which would read viem's types again.
 */
export async function build(packages, directory) {
  const outDir = join(directory, 'dist')
  const config = join(root, 'node_modules', '.lanyard-packages.json')
  const program = {
    extends: '../tsconfig.base.json',
    compilerOptions: {
      ...{ noEmit: false, declaration: true, sourceMap: true, inlineSources: true },
      ...{ rootDir: '../packages', outDir },
      // Only packages/react needs these.
      ...{ jsx: 'react-jsx', lib: ['ESNext', 'DOM', 'DOM.Iterable'] },
    },
    include: packages.map(({ folder }) => `../packages/${folder}/src`),
    exclude: ['../packages/*/src/**/*.test.ts', '../packages/database/src/testing'],
  }
  await writeFile(config, JSON.stringify(program))
  await compile(config)
  for (const { folder } of packages) {
    const dist = join(root, 'packages', folder, 'dist')
    await rm(dist, { recursive: true, force: true })
    await cp(join(outDir, folder, 'src'), dist, { recursive: true })
  }
}

/**
 * Creates the tarball that `pnpm publish` would upload, with the exports of publishConfig, and versions
 * instead of `workspace:` ranges. Run `build` first, so that `prepack` does not build each package again.
 * deploy/test/published-packages.test.ts packs with `prepack` instead.
 */
export async function pack({ folder }, directory) {
  const answer = await run(
    bin('pnpm'),
    ['pack', '--config.ignore-scripts=true', '--json', '--pack-destination', directory],
    join(root, 'packages', folder),
  )
  return JSON.parse(answer).filename
}

/** The named packages, and the workspace packages that they need. */
function withDependencies(names, packages) {
  const found = new Map()
  const visit = (wanted) => {
    const one = packages.find(({ manifest }) => manifest.name === wanted)
    if (!one || found.has(wanted)) return
    found.set(wanted, one)
    Object.keys(one.manifest.dependencies ?? {}).forEach(visit)
  }
  names.forEach(visit)
  return [...found.values()]
}

/** Removes earlier tarballs of packages, which `npm install *.tgz` would find too, and nothing else. */
async function removeTarballs(packages, folder) {
  const prefixes = packages.map(({ manifest }) => `${manifest.name.replace('@', '').replace('/', '-')}-`)
  const isEarlier = (file) =>
    prefixes.some((prefix) => file.startsWith(prefix) && /^\d.*\.tgz$/.test(file.slice(prefix.length)))
  for (const file of await readdir(folder)) if (isEarlier(file)) await rm(join(folder, file))
}

async function main(names, folder) {
  const all = await publicPackages()
  const known = all.map(({ manifest }) => manifest.name)
  if (!folder || known.includes(folder) || names.length === 0 || !names.every((name) => known.includes(name)))
    return `Name one or more packages, then a folder: @lanyard/react artifacts/packages
The packages are ${known.join(', ')}.`
  const packages = withDependencies(names, all)
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-packages-'))
  try {
    await build(packages, directory)
    await mkdir(folder, { recursive: true })
    await removeTarballs(packages, folder)
    for (const one of packages) console.log(await pack(one, resolve(folder)))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2, -1)
  const problem = await main(names, process.argv.slice(2).at(-1))
  if (problem) {
    console.error(problem)
    process.exitCode = 2
  }
}
