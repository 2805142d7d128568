/**
 * Packs every public package as it would be published, checks the tarballs, and prints their sizes: `pnpm check:packages`.
 *
 * publint and attw read each tarball. Then npm installs all libraries into an empty folder outside the
 * workspace, where each entry is imported and the compiler checks a program that uses them, and the first example of each README.
 * Vite builds an app with them; with `--frameworks`, as before a release, so do Next.js and Metro. npm gets their
 * dependencies from its cache or from the registry.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import {
  bin,
  build,
  compile,
  pack,
  packProgram,
  publicPackages,
  publicPrograms,
  root,
  run,
  sizeTable,
} from './pack-packages.mjs'
import { buildByNext, buildByVite, bundleByMetro, compileReadmes } from './package-consumers.mjs'

async function problemsOf(tarball) {
  const file = await readFile(tarball)
  const { messages, pkg } = await publint({
    pack: { tarball: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) },
    strict: true,
  })
  const complaints = messages.map((message) => formatMessage(message, pkg, { color: false }))
  const styles = Object.keys(pkg.exports ?? {}).filter((entry) => entry.endsWith('.css'))
  const withoutTypes = styles.length > 0 ? ['--exclude-entrypoints', ...styles] : []
  const attw = [tarball, '--profile', 'esm-only', '--format', 'ascii', ...withoutTypes]
  const types = pkg.exports
    ? await run(bin('attw'), attw).then(
        () => [],
        ({ message }) => [message],
      )
    : [] // a program
  const everywhere = JSON.stringify({ ...pkg.dependencies, ...pkg.peerDependencies })
  const unresolved = /workspace:|catalog:/.test(everywhere)
    ? [`a dependency has no version: ${everywhere}`]
    : []
  return [...complaints, ...types, ...unresolved]
}

/** A consumer's program: it imports every entry and uses a few types. */
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
// @ts-expect-error the types are there: a number is not an address
computeAccountAddress({ kind: 'eoa', address: 1 })
export { planOrder, signBuild }
`

/**
 * Installs the tarballs outside the workspace, imports every entry, and compiles a program that uses them.
 */
async function use(packages, names, directory) {
  const folder = join(directory, 'consumer')
  await mkdir(folder)
  const workspace = await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const [, viem] = /^ {2}viem: (\S+)$/m.exec(workspace) ?? []
  const peers = {
    '@trpc/server': '^11.0.0',
    '@types/react': '^19.0.0',
    '@types/react-dom': '^19.0.0',
    '@types/node': '^24.0.0',
  }
  const dependencies = { ...names, ...peers, viem }
  // Our packages depend on each other by version, and are not published yet.
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies, overrides: names }),
  )
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional']
  await run('npm', ['install', ...options], folder)
  const entries = packages.flatMap(({ manifest }) =>
    Object.keys(manifest.publishConfig.exports)
      .filter((entry) => !entry.endsWith('.css'))
      .map((entry) => manifest.name + entry.slice(1)),
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
    await compile(folder)
  }
  const examples = await compileReadmes(packages, folder)
  return `${entries.length} entries and the first examples of ${examples} READMEs`
}

const frameworks = { 'Next.js': buildByNext, Metro: bundleByMetro }

const directory = await mkdtemp(join(tmpdir(), 'lanyard-packages-'))
try {
  const packages = await publicPackages()
  await build(packages, directory)
  const tarballs = []
  for (const one of packages) tarballs.push(await pack(one, directory))
  const names = Object.fromEntries(
    packages.map(({ manifest }, index) => [manifest.name, `file:${tarballs[index]}`]),
  )
  for (const one of await publicPrograms()) tarballs.push(await packProgram(one, directory))
  const complaints = []
  for (const tarball of tarballs)
    for (const problem of await problemsOf(tarball)) complaints.push(`${basename(tarball)}: ${problem}`)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  console.log(await sizeTable(tarballs))
  const used = await use(packages, names, directory)
  const builders = { Vite: buildByVite, ...(process.argv.includes('--frameworks') && frameworks) }
  for (const [builder, buildApp] of Object.entries(builders)) {
    await buildApp(join(directory, builder), names)
    console.log(`${builder} builds an app with them.`)
  }
  console.log(`${tarballs.length} packages are ready to publish; their ${used} work outside the workspace.`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(directory, { recursive: true, force: true })
}
