/**
 * Packs every public package as it would be published, and checks what comes out: `pnpm check:packages`.
 *
 * publint and attw read each tarball; then npm installs all of them into an empty folder outside of the workspace, where
 * each entry is imported, and a program that uses them is checked by the compiler. npm takes what they depend on from
 * its cache, or from the registry.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'))

/** A program's output; where it fails, that is in the message. */
async function run(program, parameters, cwd = root) {
  try {
    const { stdout } = await promisify(execFile)(program, parameters, { cwd, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (error) {
    throw new Error(`${program} ${parameters.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? ''}`.trim())
  }
}

async function publicPackages() {
  const folders = await readdir(join(root, 'packages'))
  const all = await Promise.all(
    folders.map(async (folder) => ({
      folder,
      manifest: await readJson(join(root, 'packages', folder, 'package.json')),
    })),
  )
  return all.filter(({ manifest }) => !manifest.private)
}

/**
 * `dist` of every package. One program for all of them takes a quarter of what their own builds take, since each of
 * those reads viem's types again.
 */
async function build(packages, directory) {
  const outDir = join(directory, 'dist')
  const config = join(root, 'node_modules', '.lanyard-packages.json')
  const program = {
    extends: '../tsconfig.base.json',
    compilerOptions: {
      ...{ noEmit: false, declaration: true, sourceMap: true, inlineSources: true },
      ...{ rootDir: '../packages', outDir },
    },
    include: packages.map(({ folder }) => `../packages/${folder}/src`),
    exclude: ['../packages/*/src/**/*.test.ts', '../packages/database/src/testing'],
  }
  await writeFile(config, JSON.stringify(program))
  await run(bin('tsc'), ['--project', config])
  for (const { folder } of packages) {
    const dist = join(root, 'packages', folder, 'dist')
    await rm(dist, { recursive: true, force: true })
    await cp(join(outDir, folder, 'src'), dist, { recursive: true })
  }
}

/** The tarball, as `pnpm publish` would upload it: exports of publishConfig, and versions for `workspace:`. */
async function pack({ folder }, directory) {
  const answer = await run(
    bin('pnpm'),
    ['pack', '--json', '--pack-destination', directory],
    join(root, 'packages', folder),
  )
  return JSON.parse(answer).filename
}

async function problemsOf(tarball) {
  const file = await readFile(tarball)
  const { messages, pkg } = await publint({
    pack: { tarball: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) },
    strict: true,
  })
  const complaints = messages.map((message) => formatMessage(message, pkg, { color: false }))
  const types = await run(bin('attw'), [tarball, '--profile', 'esm-only', '--format', 'ascii']).then(
    () => [],
    ({ message }) => [message],
  )
  const everywhere = JSON.stringify({ ...pkg.dependencies, ...pkg.peerDependencies })
  const unresolved = /workspace:|catalog:/.test(everywhere)
    ? [`a dependency has no version: ${everywhere}`]
    : []
  return [...complaints, ...types, ...unresolved]
}

/** Who uses the packages: every entry, and a little of the types. */
const program = `
import { computeAccountAddress, type AccountOwner } from '@lanyard/accounts'
import { createLanyardClient, signBuild, type LanyardClient } from '@lanyard/client'
import { endpoints, type EndpointOutput } from '@lanyard/contracts'
import { planOrder } from '@lanyard/smart-balance'

const owner: AccountOwner = { kind: 'eoa', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }
const client: LanyardClient = createLanyardClient({ baseUrl: 'http://127.0.0.1:3000' })
const { wallet } = await client.smartAccount.create({ eoaAddress: computeAccountAddress(owner) })
export const address: string = wallet.scw_address
export type Networks = EndpointOutput<typeof endpoints.system.networks>
// @ts-expect-error the types are there: a number is no address
computeAccountAddress({ kind: 'eoa', address: 1 })
export { planOrder, signBuild }
`

/** Installs the tarballs outside of the workspace, imports every entry, and compiles a program that uses them. */
async function use(packages, tarballs, directory) {
  const folder = join(directory, 'consumer')
  await mkdir(folder)
  const names = Object.fromEntries(
    packages.map(({ manifest }, index) => [manifest.name, `file:${tarballs[index]}`]),
  )
  const workspace = await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const [, viem] = /^ {2}viem: (\S+)$/m.exec(workspace) ?? []
  const dependencies = { ...names, '@trpc/server': '^11.0.0', viem }
  // Ours depend on each other by version, and are published nowhere yet.
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies, overrides: names }),
  )
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional', '--prefer-offline']
  await run('npm', ['install', ...options], folder)
  const entries = packages.flatMap(({ manifest }) =>
    Object.keys(manifest.publishConfig.exports).map((entry) => manifest.name + entry.slice(1)),
  )
  const importAll = `for (const entry of ${JSON.stringify(entries)}) {
    const names = Object.keys(await import(entry))
    if (names.length === 0 && entry !== '@lanyard/client/trpc') throw new Error(entry + ' exports nothing')
  }`
  await run(process.execPath, ['--input-type=module', '--eval', importAll], folder)
  await writeFile(join(folder, 'program.ts'), program)
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = {
      module,
      moduleResolution,
      strict: true,
      noEmit: true,
      target: 'es2024',
      types: [],
    }
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['program.ts'] }),
    )
    await run(bin('tsc'), ['--project', folder])
  }
  return entries.length
}

const directory = await mkdtemp(join(tmpdir(), 'lanyard-packages-'))
try {
  const packages = await publicPackages()
  await build(packages, directory)
  const tarballs = []
  const complaints = []
  for (const one of packages) {
    const tarball = await pack(one, directory)
    tarballs.push(tarball)
    const problems = await problemsOf(tarball)
    complaints.push(...problems.map((problem) => `${one.manifest.name}: ${problem}`))
  }
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  const entries = await use(packages, tarballs, directory)
  console.log(
    `${packages.length} packages are ready to publish; their ${entries} entries work outside of the workspace.`,
  )
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(directory, { recursive: true, force: true })
}
