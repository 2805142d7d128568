/**
 * Writes the package that is published: `node scripts/build.ts <folder>`. It is JavaScript for Node 20 and the built pages, in
 * the places of the repository, so that each source finds its files as it does there.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Built first, where they are out of date. */
const pages = ['wallet', 'recovery', 'docs', 'console'].map((page) => `apps/${page}/dist`)

/** Each runs as a program or a thread of its own. */
const programs = {
  lanyard: 'apps/api/src/admin/cli/lanyard.ts',
  main: 'apps/api/src/main.ts',
  'off-loop-worker': 'apps/api/src/platform/off-loop/off-loop-worker.ts',
  supervisor: 'packages/devnet/src/supervisor.ts',
}

/** Packages with programs or files of their own, by the package that depends on them. */
const installed = {
  '@electric-sql/pglite': 'packages/database',
  '@foundry-rs/anvil': 'packages/devnet',
}

/** The script of the API reference. Its package depends on eighty others, which it contains already. */
const explorer = 'openapi-explorer/dist/browser/openapi-explorer.min.js'
const explorerPlace = 'apps/api/reference/openapi-explorer.min.js'

/** What an operator installs beside it: docs/keys.md. */
const optional = ['@aws-sdk/client-kms', '@azure/identity', 'google-auth-library']

interface Manifest {
  readonly repository?: object
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))

/** In the bundle, `import.meta.url` of a source is where it is in the repository, below the package's folder. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { id: /\.ts$/, code: 'import.meta.url' },
    handler(code, id) {
      const place = JSON.stringify(relative(root, id).replace(/\.ts$/, '.js'))
      return { code: code.replaceAll('import.meta.url', `new URL(${place}, packageFolder).href`) }
    },
  },
}

/** In the bundle, the script is a file of this package. */
const containExplorer: Plugin = {
  name: 'contain-explorer',
  transform: {
    filter: { id: /\.ts$/, code: explorer },
    handler: (code) =>
      code.replace(`require.resolve('${explorer}')`, `new URL('${explorerPlace}', packageFolder)`),
  },
}

async function bundle(folder: string): Promise<void> {
  const bundled = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, source]) => [name, join(root, source)])),
    platform: 'node',
    external: [...Object.keys(installed), ...optional, 'pg-native'].map(
      (name) => new RegExp(`^${name}(?:/|$)`),
    ),
    plugins: [keepPlaces, containExplorer],
    transform: { target: 'node20' },
    logLevel: 'silent',
  })
  await bundled.write({
    dir: join(folder, 'dist'),
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: { jsdoc: false },
    banner: ({ isEntry }) =>
      `${isEntry ? `import './missing-in-node-20.js'\n` : ''}const packageFolder = new URL('${isEntry ? '..' : '../..'}/', import.meta.url)`,
  })
  const missing = await rolldown({
    platform: 'node',
    input: fileURLToPath(new URL('../src/missing-in-node-20.ts', import.meta.url)),
  })
  await missing.write({ file: join(folder, 'dist/missing-in-node-20.js') })
}

/** The manifest that npm reads: what the sources depend on, in the versions of the repository. */
async function manifestOf(): Promise<object> {
  const { version, description, license, repository } = await readManifest('apps/service')
  const versions = await Promise.all(
    Object.entries(installed).map(async ([name, folder]) => [
      name,
      (await readManifest(folder)).dependencies?.[name],
    ]),
  )
  const { peerDependencies } = await readManifest('packages/signers')
  const peers = optional.map((name) => [name, peerDependencies?.[name]])
  return {
    ...{ name: '@lanyard/service', version, description, license, repository, type: 'module' },
    // process.getBuiltinModule
    engines: { node: '>=20.16' },
    bin: { lanyard: 'dist/lanyard.js' },
    dependencies: Object.fromEntries(versions),
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries(optional.map((name) => [name, { optional: true }])),
    publishConfig: { access: 'public', provenance: true },
  }
}

async function main(target = 'dist'): Promise<void> {
  const folder = resolve(target)
  for (const page of pages)
    await promisify(execFile)(process.execPath, [join(dirname(page), 'scripts/build-if-stale.ts')], {
      cwd: root,
    })
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await bundle(folder)
  for (const page of pages)
    await cp(join(root, page), join(folder, page), {
      recursive: true,
      // Most of the package is documents. Browsers take Brotli, and others get these as they are.
      filter: (source) => page !== 'apps/docs/dist' || !source.endsWith('.gz'),
    })
  // The image of the migrated database is named after them.
  await cp(join(root, 'packages/database/src/migrations'), join(folder, 'packages/database/src/migrations'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  })
  // Where each program looks for the thread or the process that it starts.
  for (const [name, source] of Object.entries(programs)) {
    if (name === 'lanyard') continue
    const place = join(folder, source.replace(/\.ts$/, '.js'))
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, `import '${relative(dirname(place), join(folder, 'dist', `${name}.js`))}'\n`)
  }
  const { resolve: find } = createRequire(join(root, 'apps/api/package.json'))
  await mkdir(dirname(join(folder, explorerPlace)), { recursive: true })
  await cp(find(explorer), join(folder, explorerPlace))
  await cp(join(dirname(find(explorer)), '../../LICENSE'), join(folder, dirname(explorerPlace), 'LICENSE'))
  for (const file of ['LICENSE', 'NOTICE.md']) await cp(join(root, file), join(folder, file))
  await cp(fileURLToPath(new URL('../README.md', import.meta.url)), join(folder, 'README.md'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifestOf(), null, 2)}\n`)
}

await main(process.argv[2])
