/**
 * Packs public packages as they would be published. Run as a program, it packs packages and the workspace
 * packages that they need, for apps that use them before they are published:
 * `node scripts/pack-packages.mjs @lanyard/react @lanyard/connect artifacts/packages`.
 * With `--all` it packs whatever a release publishes, and prints the sizes.
 */
import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const bin = (name) => join(root, 'node_modules', '.bin', name)

/** Compiles by TypeScript 7. */
export const compile = (project) =>
  run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '--project', project])

/** Returns a program's output. If it fails, the error message contains the output. */
export async function run(program, parameters, cwd = root, env = {}) {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)(program, parameters, options)
    return stdout
  } catch (error) {
    throw new Error(`${program} ${parameters.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? ''}`.trim())
  }
}

async function workspacesIn(parent) {
  const folders = await readdir(join(root, parent))
  return Promise.all(
    folders.map(async (folder) => ({
      folder,
      path: join(root, parent, folder),
      manifest: JSON.parse(await readFile(join(root, parent, folder, 'package.json'), 'utf8')),
    })),
  )
}

/** The packages whose sources one compiler run builds. */
export async function publicPackages() {
  const all = await workspacesIn('packages')
  return all.filter(({ manifest }) => !manifest.private && !manifest.scripts?.tarball)
}

/** The packages that build their own tarball, by a script of that name, which writes it to `artifacts`. */
export async function publicPrograms() {
  const all = [...(await workspacesIn('packages')), ...(await workspacesIn('apps'))]
  return all.filter(({ manifest }) => manifest.scripts?.tarball)
}

/** Creates the tarball of one of {@link publicPrograms}. */
export async function packProgram({ path, manifest }, directory) {
  await run(bin('pnpm'), ['run', 'tarball'], path)
  const file = `${filePrefix(manifest)}${manifest.version}.tgz`
  await copyFile(join(path, 'artifacts', file), join(directory, file))
  return join(directory, file)
}

/** What npm loads of a package, and what it unpacks, in bytes. */
async function measure(tarball) {
  const list = (await run('tar', ['-tvzf', tarball])).trim().split('\n')
  const unpacked = list.reduce((sum, line) => sum + Number(line.split(/\s+/)[2]), 0)
  return { packed: (await stat(tarball)).size, unpacked, files: list.length }
}

/** A table of tarballs with their sizes. One kB is 1,000 bytes. */
export async function sizeTable(tarballs) {
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(12)
  const row = (name, { packed, unpacked, files }) =>
    `${name.padEnd(32)}${kilobytes(packed)}${kilobytes(unpacked)}${String(files).padStart(8)}`
  const sizes = await Promise.all(
    tarballs.map(async (tarball) => [basename(tarball), await measure(tarball)]),
  )
  const sum = (key) => sizes.reduce((total, [, size]) => total + size[key], 0)
  return [
    `${'tarball'.padEnd(32)}${'packed'.padStart(12)}${'unpacked'.padStart(12)}${'files'.padStart(8)}`,
    ...sizes.toSorted(([, a], [, b]) => b.packed - a.packed).map(([name, size]) => row(name, size)),
    row('together', { packed: sum('packed'), unpacked: sum('unpacked'), files: sum('files') }),
  ].join('\n')
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

const filePrefix = ({ name }) => `${name.replace('@', '').replace('/', '-')}-`

/** Removes earlier tarballs of packages, which `npm install *.tgz` would find too, and nothing else. */
async function removeTarballs(packages, folder) {
  const prefixes = packages.map(({ manifest }) => filePrefix(manifest))
  const isEarlier = (file) =>
    prefixes.some((prefix) => file.startsWith(prefix) && /^\d.*\.tgz$/.test(file.slice(prefix.length)))
  for (const file of await readdir(folder)) if (isEarlier(file)) await rm(join(folder, file))
}

async function main(names, folder) {
  const all = await publicPackages()
  const known = all.map(({ manifest }) => manifest.name)
  const isAll = names.length === 1 && names[0] === '--all'
  const areKnown = names.length > 0 && names.every((name) => known.includes(name))
  if (!folder || known.includes(folder) || !(isAll || areKnown))
    return `Name one or more packages, then a folder: @lanyard/react artifacts/packages
The packages are ${known.join(', ')}. \`--all\` stands for all of them and the programs.`
  const packages = isAll ? all : withDependencies(names, all)
  const programs = isAll ? await publicPrograms() : []
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-packages-'))
  try {
    await build(packages, directory)
    await mkdir(folder, { recursive: true })
    await removeTarballs([...packages, ...programs], folder)
    const tarballs = []
    for (const one of packages) tarballs.push(await pack(one, resolve(folder)))
    for (const one of programs) tarballs.push(await packProgram(one, resolve(folder)))
    console.log(isAll ? await sizeTable(tarballs) : tarballs.join('\n'))
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
