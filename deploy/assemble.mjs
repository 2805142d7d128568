/**
 * Puts what runs in production, and nothing else, into an empty folder: `node deploy/assemble.mjs <folder>`.
 *
 * The sources of the service and of the packages that it is made of, without tests; the built pages; and their
 * production dependencies as the lockfile names them. Node runs TypeScript by itself, so what runs there is what was
 * tested. The Dockerfile runs this, and so does whoever installs without containers. The pages have to be built before.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const service = 'apps/api'
/** What is served beside the API, and the command that builds it. */
const pages = ['apps/wallet/dist', 'apps/recovery/dist', 'apps/docs/dist']
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

/** A folder, and those of all packages of ours that it needs. */
function withDependencies(folder, found = new Set()) {
  if (found.has(folder)) return found
  found.add(folder)
  for (const name of Object.keys(readJson(join(root, folder, 'package.json')).dependencies ?? {})) {
    const needed = folders.get(name)
    if (needed) withDependencies(needed, found)
  }
  return found
}

/** Sources, without what only tests need. */
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
  // The lockfile knows every package; only these are here. Our packages take viem from whoever uses them: from the root.
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  writeFileSync(join(target, 'pnpm-workspace.yaml'), `${workspace}publicHoistPattern: [viem]\n`)
  for (const page of pages) copy(page)

  const [program, ...parameters] = pnpm
  // Optional: binaries of the local networks. No package runs a script of its own.
  const options = ['install', '--prod', '--no-optional', '--frozen-lockfile', '--ignore-scripts']
  const { status } = spawnSync(program, [...parameters, ...options, '--filter', '@lanyard/api...'], {
    cwd: target,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) end('The production dependencies could not be installed')
  removeUnused(target)
}

/** What no process reads: source maps, sources and declarations in TypeScript, tests, documents. Licences stay. */
const isUnused = (name) =>
  /\.(map|[cm]?ts|tsx|md|test\.[cm]?js)$/i.test(name) && !/^(licen[cs]e|notice|copying)/i.test(name)

/** Half of what is installed is for people and compilers. Node runs no TypeScript in `node_modules`. */
function removeUnused(target) {
  const store = join(target, 'node_modules', '.pnpm')
  for (const name of readdirSync(store)) {
    // viem and others name TypeScript as a peer, for its types alone.
    if (name.startsWith('typescript@')) rmSync(join(store, name), { recursive: true })
  }
  removeUnusedFiles(store)
}

/** Follows no link, as `recursive` of readdir does in some versions of Node: links lead to our own sources. */
function removeUnusedFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeUnusedFiles(path)
    else if (entry.isFile() && isUnused(entry.name)) rmSync(path)
  }
}

main(process.argv.slice(2))
