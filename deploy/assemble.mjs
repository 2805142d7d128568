/**
 * Copies everything that production needs, and nothing else, into an empty folder:
 * `node deploy/assemble.mjs <folder>`.
 *
 * That is the sources of the service and of its workspace packages without tests, the built pages, and their
 * production dependencies from the lockfile. Node runs TypeScript directly, so production runs the tested
 * files. The Dockerfile runs this script; units of systemd run `@lanyard/service` instead. Build the pages first.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const service = 'apps/api'
/** The folders served beside the API. */
const pages = ['apps/wallet/dist', 'apps/recovery/dist', 'apps/docs/dist', 'apps/console/dist']
const pnpm = ['npx', '-y', 'pnpm@12.21.0']

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const end = (message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const folders = new Map(
  readdirSync(join(root, 'packages')).flatMap((name) => {
    const manifest = join(root, 'packages', name, 'package.json')
    return existsSync(manifest) ? [[readJson(manifest).name, `packages/${name}`]] : []
  }),
)

/** The folder of a package, and those of all workspace packages that it depends on. */
function withDependencies(folder, found = new Set()) {
  if (found.has(folder)) return found
  found.add(folder)
  for (const name of Object.keys(readJson(join(root, folder, 'package.json')).dependencies ?? {})) {
    const needed = folders.get(name)
    if (needed) withDependencies(needed, found)
  }
  return found
}

/** Whether a source file is needed in production: excludes files that only tests need. */
const isProduction = (path) =>
  !/\.test\.tsx?$/.test(path) && !['__snapshots__', 'testing', 'test'].includes(basename(path))

function main([argument]) {
  if (!argument) end('Usage: node deploy/assemble.mjs <folder>')
  const target = resolve(argument)
  if (existsSync(target) && readdirSync(target).length > 0) end(`${target} is not empty`)
  for (const page of pages) {
    if (!existsSync(join(root, page))) end(`${page} is not built: pnpm --filter ./${dirname(page)} build`)
  }
  const copy = (path, options = {}) =>
    cpSync(join(root, path), join(target, path), { recursive: true, ...options })

  mkdirSync(target, { recursive: true })
  for (const path of ['package.json', 'pnpm-lock.yaml', 'LICENSE', 'NOTICE.md']) copy(path)
  const ours = [...withDependencies(service)]
  for (const folder of ours) {
    copy(`${folder}/package.json`)
    copy(`${folder}/src`, { filter: isProduction })
  }
  // The lockfile lists every package, but only these are copied. Workspace packages take viem as a peer
  // dependency, from the root.
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  writeFileSync(join(target, 'pnpm-workspace.yaml'), `${workspace}publicHoistPattern: [viem]\n`)
  for (const page of pages) copy(page)

  const [program, ...parameters] = pnpm
  // Optional dependencies are binaries of the local networks. No package runs install scripts.
  const options = ['install', '--prod', '--no-optional', '--frozen-lockfile', '--ignore-scripts']
  const { status } = spawnSync(program, [...parameters, ...options, '--filter', '@lanyard/api...'], {
    cwd: target,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) end('The production dependencies could not be installed')
  writePackageList(target)
  removeUnused(target)
}

/** Writes what is installed, as CycloneDX, so that a scanner of the image needs no lockfile. */
function writePackageList(target) {
  const [program, ...parameters] = pnpm
  const options = ['sbom', '--prod', '--no-optional', '--sbom-type', 'application']
  const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--out', 'sbom.cdx.json']
  const { status } = spawnSync(program, [...parameters, '--filter', '@lanyard/api', ...options, ...format], {
    cwd: target,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) end('The list of packages could not be written')
  cleanPackageList(join(target, 'sbom.cdx.json'))
}

/**
 * Removes TypeScript: the lockfile, which the list is made from, has it as a peer dependency, and `removeUnused` removes it. The
 * same files have the same list, so it has neither a time nor a random number.
 */
function cleanPackageList(path) {
  const list = readJson(path)
  delete list.serialNumber
  delete list.metadata.timestamp
  const isKept = (reference) => !reference.startsWith('pkg:npm/typescript@')
  list.components = list.components.filter(({ purl }) => isKept(purl))
  list.dependencies = list.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ dependsOn = [], ...dependency }) => ({ ...dependency, dependsOn: dependsOn.filter(isKept) }))
  writeFileSync(path, `${JSON.stringify(list, null, 2)}\n`)
}

/**
 * Files that no process reads: source maps, TypeScript sources and declarations, tests, documents. Licences
 * are kept.
 */
const isUnused = (name) =>
  /\.(map|[cm]?ts|tsx|md|test\.[cm]?js)$/i.test(name) && !/^(licen[cs]e|notice|copying)/i.test(name)

/**
 * Removes about half of the installed files, which are for people and compilers. Node runs no TypeScript in
 * `node_modules`.
 */
function removeUnused(target) {
  const store = join(target, 'node_modules', '.pnpm')
  for (const name of readdirSync(store)) {
    // viem and others list TypeScript as a peer dependency, for its types only.
    if (name.startsWith('typescript@')) rmSync(join(store, name), { recursive: true })
  }
  removeUnusedFiles(store)
  // What pnpm knows about its installation, with the time of it.
  for (const name of ['.modules.yaml', '.pnpm-workspace-state-v1.json'])
    rmSync(join(target, 'node_modules', name), { force: true })
}

/**
 * Does not follow symbolic links, which `readdir` with `recursive` does in some versions of Node. They lead
 * to the workspace sources.
 */
function removeUnusedFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeUnusedFiles(path)
    else if (entry.isFile() && isUnused(entry.name)) rmSync(path)
  }
}

main(process.argv.slice(2))
